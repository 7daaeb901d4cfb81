#include "deserializer/line_text.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "config/utf8.h"

namespace millrace {
namespace {

constexpr char32_t kReplacement = 0xFFFD;
constexpr std::string_view kReplacementBytes = "\xEF\xBF\xBD";

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

// Of valid UTF-8.
std::size_t utf16_units(std::string_view text) {
  std::size_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    units += byte >= 0xF0 ? 2 : (byte & 0xC0) != 0x80 ? 1 : 0;
  }
  return units;
}

}  // namespace

void LineText::use(CharsetText charset) {
  end_bytes_ = charset.newline().size();
  keeps_ascii_ = charset.keeps_ascii();
  charset_ = std::move(charset);
}

std::size_t LineText::find_wide_end(std::string_view bytes, std::size_t from,
                                    std::size_t to) const {
  for (std::size_t at = from; at + end_bytes_ <= to; at += end_bytes_) {
    if (bytes.substr(at, end_bytes_) == charset_->newline()) {
      return at;
    }
  }
  return std::string_view::npos;
}

Result<LinePiece> LineText::piece(std::string_view line, std::uint64_t position, bool open) {
  const std::string_view front = line.substr(0, longest_);
  if (keeps_ascii_ && is_ascii(front) && (front.size() == longest_ || !open)) {
    return LinePiece{front, front.size(), true};
  }
  // As many units as bytes is the most that a text can have, half as many that one of wide units.
  if (!open && line.size() <= longest_ * (end_bytes_ > 1 ? 2 : 1)) {
    if (!charset_ && is_valid_utf8(line)) {
      return LinePiece{line, line.size(), true};
    }
    if (const auto whole = charset_ ? charset_->convert(line) : std::nullopt) {
      return LinePiece{*whole, line.size(), false};
    }
  }
  return decoded_piece(line, position, open);
}

LineText::Character LineText::first_of(std::string_view bytes) {
  if (charset_) {
    const auto character = charset_->first(bytes);
    return character ? Character{character->bytes, character->text}
                     : Character{std::min(end_bytes_, bytes.size()), {}};
  }
  std::string_view rest = bytes;
  const char32_t character = take_code_point(rest);
  const std::string_view taken = bytes.substr(0, bytes.size() - rest.size());
  const bool malformed = character == kReplacement && taken != kReplacementBytes;
  return {taken.size(), malformed ? std::string_view() : taken};
}

// Character by character. `mended_` is used from the first one on that is not given as it is.
Result<LinePiece> LineText::decoded_piece(std::string_view line, std::uint64_t position,
                                          bool open) {
  std::string_view rest = line;
  std::size_t units = 0;
  bool in_place = !charset_.has_value();
  mended_.clear();
  while (!rest.empty() && units < longest_) {
    const Character character = first_of(rest);
    const bool malformed = character.text.empty();
    if (malformed && open && rest.size() < CharsetText::kLongestCharacter) {
      break;  // Perhaps it is only unfinished.
    }
    if (malformed && errors_ == DecodeErrors::kFail) {
      return corrupt("byte " + std::to_string(position + (line.size() - rest.size())) + " is no " +
                     (charset_ ? charset_->name() : "UTF-8"));
    }
    if (malformed && in_place) {
      in_place = false;
      mended_ = line.substr(0, line.size() - rest.size());
    }
    if (!malformed || errors_ == DecodeErrors::kReplace) {
      const std::string_view text = malformed ? kReplacementBytes : character.text;
      units += utf16_units(text);
      if (!in_place) {
        mended_ += text;
      }
    }
    rest.remove_prefix(character.bytes);
  }
  const std::size_t taken = line.size() - rest.size();
  return LinePiece{in_place ? line.substr(0, taken) : std::string_view(mended_), taken, in_place};
}

}  // namespace millrace
