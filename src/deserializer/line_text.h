// Where lines end, where their text is cut, and what becomes of bytes that are none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "core/deserializer.h"
#include "deserializer/charset_text.h"

namespace millrace {

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

  // From now on lines are in this encoding, and become UTF-8; without it they are UTF-8.
  void use(CharsetText charset);

  // Where a line ends in bytes[from, to): behind what stands before; npos: nowhere.
  std::size_t find_end(std::string_view bytes, std::size_t from, std::size_t to) const {
    if (end_bytes_ > 1) {
      return find_wide_end(bytes, from, to);
    }
    const void* const found =
        to > from ? std::memchr(bytes.data() + from, '\n', to - from) : nullptr;
    return found == nullptr
               ? std::string_view::npos
               : static_cast<std::size_t>(static_cast<const char*>(found) - bytes.data());
  }
  // Bytes of a line's end.
  std::size_t end_bytes() const { return end_bytes_; }

  // The first piece of `line`; not empty unless the line is. `open`: more bytes of the line may
  // follow, but are not looked at: an unfinished character at the end is left to the next piece.
  // kCorrupt, with the place in the file, for a piece that is no text, under kFail: `position` is
  // the line's.
  Result<LinePiece> piece(std::string_view line, std::uint64_t position, bool open);

  // So many bytes are enough for a piece of valid text.
  std::size_t enough_bytes() const { return longest_ * 4; }

 private:
  struct Character {
    std::size_t bytes;
    std::string_view text;  // Empty: malformed.
  };
  std::size_t find_wide_end(std::string_view bytes, std::size_t from, std::size_t to) const;
  Result<LinePiece> decoded_piece(std::string_view line, std::uint64_t position, bool open);
  Character first_of(std::string_view bytes);

  std::size_t longest_;
  DecodeErrors errors_;
  std::optional<CharsetText> charset_;  // Nothing: UTF-8.
  std::size_t end_bytes_ = 1;
  bool keeps_ascii_ = true;
  std::string mended_;
};

}  // namespace millrace
