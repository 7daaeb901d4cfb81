#include "serializer/source_window.h"

#include <algorithm>

namespace millrace {

ByteSource source_of(std::string_view bytes) {
  return [bytes](std::span<char> space, std::uint64_t offset) -> Result<std::size_t> {
    const std::string_view there = bytes.substr(std::min<std::uint64_t>(offset, bytes.size()));
    const std::size_t count = std::min(space.size(), there.size());
    std::copy_n(there.begin(), count, space.begin());
    return count;
  };
}

Result<std::string_view> SourceWindow::view(std::size_t bytes) {
  const auto skipped = static_cast<std::size_t>(position_ - at_);
  if (bytes_.size() - skipped >= bytes) {
    return bytes_.view().substr(skipped);
  }
  bytes_.drop_front(skipped);
  at_ = position_;
  while (bytes_.size() < bytes) {
    const std::size_t room = std::max(kReadBytes, bytes_.size());
    const std::size_t got = TRY(source_({bytes_.room(room), room}, at_ + bytes_.size()));
    bytes_.take(got);
    if (got < room) {
      break;
    }
  }
  return bytes_.view();
}

void SourceWindow::move_to(std::uint64_t position) {
  position_ = position;
  if (position < at_ || position > at_ + bytes_.size()) {
    bytes_.clear();
    at_ = position;
  }
}

}  // namespace millrace
