// The memory that events in flight may pin, for the whole process.
#pragma once

#include <atomic>
#include <cstddef>

namespace millrace {

// Counts bytes against a limit. Threads: any.
class ByteBudget {
 public:
  explicit ByteBudget(std::size_t limit) : limit_(limit) {}

  std::size_t limit() const { return limit_; }
  std::size_t used() const { return used_.load(std::memory_order_relaxed); }

  // False, and nothing is taken, when `bytes` more would pass the limit.
  bool try_reserve(std::size_t bytes) {
    if (used_.fetch_add(bytes, std::memory_order_relaxed) + bytes <= limit_) {
      return true;
    }
    release(bytes);
    return false;
  }
  // Takes them past the limit too.
  void reserve(std::size_t bytes) { used_.fetch_add(bytes, std::memory_order_relaxed); }
  void release(std::size_t bytes) { used_.fetch_sub(bytes, std::memory_order_relaxed); }

 private:
  const std::size_t limit_;
  std::atomic<std::size_t> used_{0};
};

}  // namespace millrace
