#include "source/spooldir/line_text.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "config/utf8.h"

namespace millrace {
namespace {

constexpr char32_t kReplacement = 0xFFFD;
constexpr std::string_view kReplacementBytes = "\xEF\xBF\xBD";
constexpr std::size_t kMostOfACharacter = 4;

bool is_ascii(std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  std::uint64_t bits = 0;
  for (; end - at >= 32; at += 32) {
    std::uint64_t words[4];
    std::memcpy(words, at, sizeof words);
    bits |= words[0] | words[1] | words[2] | words[3];
  }
  for (; at != end; ++at) {
    bits |= static_cast<unsigned char>(*at) & 0x80U;
  }
  return (bits & 0x8080808080808080U) == 0;
}

}  // namespace

Result<LinePiece> LineText::piece(std::string_view line, bool open) {
  const std::string_view front = line.substr(0, longest_);
  if (is_ascii(front) && (front.size() == longest_ || !open)) {
    return LinePiece{front, front.size(), true};
  }
  // As many units as bytes is the most that a text can have.
  if (line.size() <= longest_ && !open && is_valid_utf8(line)) {
    return LinePiece{line, line.size(), true};
  }
  return decoded_piece(line, open);
}

// Character by character. `mended_` is used from the first malformed byte on.
Result<LinePiece> LineText::decoded_piece(std::string_view line, bool open) {
  std::string_view rest = line;
  std::size_t units = 0;
  bool in_place = true;
  while (!rest.empty() && units < longest_) {
    const std::string_view before = rest;
    const char32_t character = take_code_point(rest);
    const std::string_view bytes = before.substr(0, before.size() - rest.size());
    const bool malformed = character == kReplacement && bytes != kReplacementBytes;
    if (malformed && open && before.size() < kMostOfACharacter) {
      rest = before;  // Perhaps it is only unfinished.
      break;
    }
    if (malformed && errors_ == DecodeErrors::kFail) {
      if (before.size() < line.size()) {
        rest = before;  // What stands before it is delivered first.
        break;
      }
      return corrupt("is no UTF-8");
    }
    if (malformed && in_place) {
      in_place = false;
      mended_ = line.substr(0, line.size() - before.size());
    }
    if (!malformed || errors_ == DecodeErrors::kReplace) {
      units += character > 0xFFFF ? 2 : 1;
      if (!in_place) {
        mended_ += malformed ? kReplacementBytes : bytes;
      }
    }
  }
  const std::size_t taken = line.size() - rest.size();
  return LinePiece{in_place ? line.substr(0, taken) : std::string_view(mended_), taken, in_place};
}

}  // namespace millrace
