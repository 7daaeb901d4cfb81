#include "deserializer/file_window.h"

#include <algorithm>
#include <cstring>

namespace millrace {
namespace {

constexpr std::size_t kLeastRead = std::size_t{128} << 10;

}  // namespace

// A long line gets more room each time, so that it is not copied too often.
Result<FileWindow::More> FileWindow::more(std::size_t at_least) {
  const std::uint64_t from = position_ + bytes_.size();
  if (from == end_) {
    return More::kEnd;
  }
  const auto wanted = static_cast<std::size_t>(
      std::min<std::uint64_t>(end_ - from, std::max({kLeastRead, bytes_.size(), at_least})));
  std::span<char> room = space_.bodies.room(bytes_.size() + wanted);
  if (room.empty()) {
    return More::kNoMemory;
  }
  if (!bytes_.empty()) {
    std::memmove(room.data(), bytes_.data(), bytes_.size());
  }
  const std::size_t count = TRY(file_->read_at(room.subspan(bytes_.size(), wanted), from));
  if (count < wanted) {
    return transient("it has become shorter than it was when it was opened");
  }
  bytes_ = {room.data(), bytes_.size() + count};
  slab_ = space_.bodies.slab();
  // Interceptors may write into the slab, behind these bytes.
  space_.bodies.take(bytes_.size());
  return More::kBytes;
}

}  // namespace millrace
