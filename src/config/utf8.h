// Text as UTF-8: what is valid, and how Java's two other forms of text become so.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace millrace {

// Strict: no overlong forms, no surrogates, nothing beyond U+10FFFF.
bool is_valid_utf8(std::string_view bytes);

// The character at the front of `bytes`, which loses it; `bytes` is not empty. What is malformed
// becomes U+FFFD, as many bytes at a time as Java's decoder takes for one.
char32_t take_code_point(std::string_view& bytes);

// `code_point` is at most U+10FFFF; a surrogate becomes U+FFFD.
void append_utf8(std::string& out, std::uint32_t code_point);

// Appends UTF-16 code units as UTF-8. A surrogate without its partner becomes U+FFFD; call finish()
// behind the last unit.
class Utf16Appender {
 public:
  explicit Utf16Appender(std::string& out) : out_(out) {}
  void unit(std::uint32_t unit);
  void finish();

 private:
  std::string& out_;
  std::uint32_t high_ = 0;  // A high surrogate that waits for its partner; 0 = none.
};

}  // namespace millrace
