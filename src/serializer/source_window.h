// A piece of a source in memory, which moves on as a reader does.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "serializer/byte_source.h"
#include "serializer/raw_buffer.h"

namespace millrace {

// Memory: the largest view(), and at least kReadBytes; it grows as bytes come, so that a length
// that is damaged costs no more than the source has. Threads: one.
class SourceWindow {
 public:
  static constexpr std::size_t kReadBytes = std::size_t{512} << 10;

  explicit SourceWindow(ByteSource source) : source_(std::move(source)) {}

  // Where view() begins.
  std::uint64_t position() const { return position_; }
  // The bytes at position(): `bytes` of them or more, fewer only at the end of the source. Valid
  // until the next call or move_to().
  Result<std::string_view> view(std::size_t bytes);
  void move_to(std::uint64_t position);
  void skip(std::uint64_t bytes) { move_to(position_ + bytes); }

 private:
  ByteSource source_;
  RawBuffer bytes_;  // Of the source from at_ on.
  std::uint64_t at_ = 0;
  std::uint64_t position_ = 0;  // Within bytes_ or at their end.
};

}  // namespace millrace
