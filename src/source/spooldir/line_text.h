// Where the text of a line is cut, and what becomes of bytes that are no UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace millrace {

enum class DecodeErrors { kFail, kReplace, kIgnore };

// The first event of a line.
struct LinePiece {
  std::string_view text;  // The bytes of the line themselves, or borrowed from the LineText.
  std::size_t bytes;      // Of the line, that it stands for.
  bool in_place;
};

// Threads: one.
class LineText {
 public:
  // `longest` is in UTF-16 units, as Java counts characters. One of two units is not torn: a piece
  // may have one unit more.
  LineText(std::size_t longest, DecodeErrors errors) : longest_(longest), errors_(errors) {}

  // The first piece of `line`; not empty unless the line is. `open`: more bytes of the line may
  // follow, but are not looked at: an unfinished character at the end is left to the next piece.
  // kCorrupt, with the place in the line, for what is no UTF-8, under kFail.
  Result<LinePiece> piece(std::string_view line, bool open);

  // So many bytes are enough for a piece of valid text.
  std::size_t enough_bytes() const { return longest_ * 4; }

 private:
  Result<LinePiece> decoded_piece(std::string_view line, bool open);

  std::size_t longest_;
  DecodeErrors errors_;
  std::string mended_;
};

}  // namespace millrace
