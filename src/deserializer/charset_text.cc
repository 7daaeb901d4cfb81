#include "deserializer/charset_text.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace millrace {
namespace {

// How "\n" may be written.
constexpr std::string_view kNewlines[] = {
    "\n", {"\n\0", 2}, {"\0\n", 2}, {"\n\0\0\0", 4}, {"\0\0\0\n", 4}};

struct Encoding {
  std::string name;  // For iconv.
  std::size_t mark_bytes;
};

// iconv takes the machine's byte order where a text does not tell its own.
Encoding encoding_of(const std::string& charset, std::string_view head) {
  std::string bare;
  for (const char c : charset) {
    if (c != '-' && c != '_') {
      bare += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
  }
  if (bare == "UTF16" || bare == "UNICODE") {
    const bool little = head.starts_with("\xFF\xFE");
    return {little ? "UTF-16LE" : "UTF-16BE", little || head.starts_with("\xFE\xFF") ? 2U : 0U};
  }
  if (bare == "UTF32") {
    const bool little = head.starts_with(std::string_view("\xFF\xFE\0\0", 4));
    const bool big = head.starts_with(std::string_view("\0\0\xFE\xFF", 4));
    return {little ? "UTF-32LE" : "UTF-32BE", little || big ? 4U : 0U};
  }
  return {charset, 0};
}

}  // namespace

Result<CharsetText> CharsetText::make(const std::string& charset, std::string_view head) {
  const Encoding encoding = encoding_of(charset, head);
  CharsetText text(charset, TRY(TextConverter::make(encoding.name, "UTF-8")));
  text.mark_bytes_ = encoding.mark_bytes;
  if (!text.find_newline()) {
    return bad_config("the line ends of charset \"" + charset + "\" are not read");
  }
  if (text.has_states()) {
    return bad_config("in charset \"" + charset +
                      "\" a character means what those before it say: reading could not go on "
                      "within a file");
  }
  return text;
}

bool CharsetText::find_newline() {
  for (const std::string_view newline : kNewlines) {
    if (converter_.convert(newline) == "\n") {
      newline_ = newline;
      return true;
    }
  }
  return false;
}

// In an encoding with states some byte of ASCII is no character, but leads to another state.
bool CharsetText::has_states() {
  if (newline_.size() > 1) {
    return false;
  }
  keeps_ascii_ = true;
  for (int code = 0; code < 128; ++code) {
    const char byte = static_cast<char>(code);
    const std::string_view ascii(&byte, 1);
    const auto text = converter_.convert(ascii);
    if (!text || text->empty()) {
      return true;
    }
    keeps_ascii_ = keeps_ascii_ && *text == ascii;
  }
  return false;
}

// What is too short for a character is none.
std::optional<CharsetText::Character> CharsetText::first(std::string_view bytes) {
  const std::size_t most = std::min(bytes.size(), kLongestCharacter);
  for (std::size_t count = newline_.size(); count <= most; count += newline_.size()) {
    const auto text = converter_.convert(bytes.substr(0, count));
    if (text && !text->empty()) {
      return Character{count, *text};
    }
  }
  return std::nullopt;
}

}  // namespace millrace
