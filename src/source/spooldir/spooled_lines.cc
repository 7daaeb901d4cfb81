#include "source/spooldir/spooled_lines.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace millrace {

Result<SpooledLines::Read> SpooledLines::read(EventBatch::Builder& builder, std::size_t most,
                                              std::string_view headers) {
  while (builder.size() < most) {
    switch (TRY(find_line())) {
      case FileWindow::More::kEnd:
        return Read::kEnd;
      case FileWindow::More::kNoMemory:
        return Read::kNoMemory;
      case FileWindow::More::kBytes:
        TRY(add_piece(builder, headers));
    }
  }
  return Read::kEvents;
}

Result<FileWindow::More> SpooledLines::find_line() {
  std::size_t searched = 0;
  for (;;) {
    const std::string_view bytes = window_.bytes();
    const std::size_t limit = std::min(bytes.size(), text_.enough_bytes() + 1);
    const void* const found =
        limit > searched ? std::memchr(bytes.data() + searched, '\n', limit - searched) : nullptr;
    has_end_ = found != nullptr;
    line_bytes_ =
        has_end_ ? static_cast<std::size_t>(static_cast<const char*>(found) - bytes.data()) : limit;
    if (is_torn_ && has_end_ && line_bytes_ == 0) {
      window_.take(1);  // The line ended with the piece before.
      is_torn_ = false;
      continue;
    }
    if (has_end_ || limit > text_.enough_bytes() || (window_.at_end() && !bytes.empty())) {
      return FileWindow::More::kBytes;
    }
    searched = limit;
    if (const auto more = TRY(window_.more()); more != FileWindow::More::kBytes) {
      return more;
    }
  }
}

Result<> SpooledLines::add_piece(EventBatch::Builder& builder, std::string_view headers) {
  const std::string_view line = window_.bytes().substr(0, line_bytes_);
  const bool open = !has_end_ && !(window_.at_end() && line.size() == window_.bytes().size());
  const Result<LinePiece> piece = text_.piece(line, open);
  if (!piece.ok()) {
    return corrupt("byte " + std::to_string(window_.position()) + " " + piece.error().message());
  }
  const LinePiece& found = piece.value();
  const bool whole = found.bytes == line.size() && has_end_;
  const std::size_t taken = found.bytes + (whole ? 1 : 0);
  if (found.in_place) {
    builder.add(found.text, headers);
    builder.keep_bytes(window_.slab(), window_.bytes().substr(0, taken));  // One range for all.
  } else {
    builder.add(builder.store_read_body(found.text), headers);
  }
  window_.take(taken);
  is_torn_ = !whole;
  return {};
}

}  // namespace millrace
