// Bytes that grow at the end without being zeroed first, for blocks on their way in or out.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>

namespace millrace {

// Threads: its owner's alone.
class RawBuffer {
 public:
  // Room for `count` bytes behind the last one; valid until the next call. Memory grows by half at
  // least, and is kept by clear().
  char* room(std::size_t count) {
    if (capacity_ - size_ < count) [[unlikely]] {
      grow(size_ + count);
    }
    return data_.get() + size_;
  }
  // The first `count` bytes of the last room() are used.
  void take(std::size_t count) { size_ += count; }
  void append(std::string_view bytes) {
    if (!bytes.empty()) {
      std::memcpy(room(bytes.size()), bytes.data(), bytes.size());
      take(bytes.size());
    }
  }
  // Replaces bytes that are there.
  void overwrite(std::size_t at, std::string_view bytes) {
    std::memcpy(data_.get() + at, bytes.data(), bytes.size());
  }
  // Drops the first `count` bytes; the rest moves to the front.
  void drop_front(std::size_t count) {
    size_ -= count;
    if (size_ > 0) {
      std::memmove(data_.get(), data_.get() + count, size_);
    }
  }
  void clear() { size_ = 0; }
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  bool empty() const { return size_ == 0; }
  std::string_view view() const { return {data_.get(), size_}; }

 private:
  void grow(std::size_t at_least) {
    const std::size_t capacity = std::max(at_least, capacity_ + capacity_ / 2);
    auto grown = std::make_unique_for_overwrite<char[]>(capacity);
    if (size_ > 0) {
      std::memcpy(grown.get(), data_.get(), size_);
    }
    data_ = std::move(grown);
    capacity_ = capacity;
  }

  std::unique_ptr<char[]> data_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace millrace
