// Text of files in other encodings than UTF-8, by the C library's iconv.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "config/charset.h"

namespace millrace {

// An encoding whose characters mean the same whatever stands before them, so that reading may begin
// at any of them. Threads: one at a time.
class CharsetText {
 public:
  // `head` is what the file begins with, four bytes of it: it may tell the byte order of UTF-16 and
  // UTF-32, which is big-endian otherwise, as in Java. kConfig for a charset that is not known
  // here, that has states, or whose line ends are none of "\n".
  static Result<CharsetText> make(const std::string& charset, std::string_view head);

  // As the operator named it.
  const std::string& name() const { return name_; }
  // "\n"; as long as each unit of the encoding.
  std::string_view newline() const { return newline_; }
  // Whether ASCII is what it is in UTF-8.
  bool keeps_ascii() const { return keeps_ascii_; }
  // Bytes of the head that tell the byte order, and are no text.
  std::size_t mark_bytes() const { return mark_bytes_; }

  // As UTF-8, when all of it is text; borrows from this until the next call.
  std::optional<std::string_view> convert(std::string_view text) {
    return converter_.convert(text);
  }
  // The character that `bytes` begins with, and how many of them it takes.
  static constexpr std::size_t kLongestCharacter = 4;
  struct Character {
    std::size_t bytes;
    std::string_view text;  // As UTF-8; borrows as convert() does.
  };
  std::optional<Character> first(std::string_view bytes);

 private:
  CharsetText(std::string name, TextConverter converter)
      : name_(std::move(name)), converter_(std::move(converter)) {}
  bool find_newline();
  bool has_states();

  std::string name_;
  TextConverter converter_;
  std::string_view newline_{};
  bool keeps_ascii_ = false;
  std::size_t mark_bytes_ = 0;
};

}  // namespace millrace
