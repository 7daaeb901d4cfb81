// The bytes of a file from a position on, read straight into the slabs that events lie in.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "core/event_batch.h"
#include "io/file_system.h"

namespace millrace {

// Reads a file up to an end that was fixed when it was opened. Bytes that were read stay where they
// are, but for those that are not taken when more() reads on: they are copied in front.
// Threads: the space's. The space outlives it.
class FileWindow {
 public:
  enum class More { kBytes, kEnd, kNoMemory };

  // Reads [position, end) of `file`.
  FileWindow(BatchSpace& space, std::unique_ptr<File> file, std::uint64_t position,
             std::uint64_t end)
      : space_(space), file_(std::move(file)), position_(position), end_(end) {}

  // What was read and not taken. Borrows from slab().
  std::string_view bytes() const { return bytes_; }
  const SlabPtr& slab() const { return slab_; }
  // Of the first of bytes() in the file.
  std::uint64_t position() const { return position_; }
  // Passes bytes before any was read.
  void skip(std::uint64_t count) { position_ += count; }
  const File& file() const { return *file_; }
  // Of the file, that were not taken.
  std::uint64_t left() const { return end_ - position_; }
  bool at_end() const { return position_ + bytes_.size() == end_; }
  void take(std::size_t count) {
    bytes_.remove_prefix(count);
    position_ += count;
  }

  // Adds bytes behind bytes(), `at_least` so many where there are. kTransient, also when the file
  // has become shorter than `end`.
  Result<More> more(std::size_t at_least = 0);

 private:
  BatchSpace& space_;
  std::unique_ptr<File> file_;
  std::uint64_t position_;
  std::uint64_t end_;
  SlabPtr slab_;
  std::string_view bytes_;
};

}  // namespace millrace
