// The characters of a pattern, and a position among them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "config/java_regex/char_sets.h"

namespace millrace::java_regex {

// The end of the pattern, where a character is asked for.
inline constexpr char32_t kEnd = 0xFFFF'FFFF;

bool is_digit(char32_t c);
bool is_letter(char32_t c);

// Characters between \Q and \E are marked: they mean themselves wherever they stand. Under the flag
// x blanks and comments are passed over, as Java does also within classes and quantifiers.
class PatternText {
 public:
  explicit PatternText(std::string_view utf8);

  // The next character, kEnd at the end; what passes over blanks passes over them for good.
  char32_t peek(const Flags& flags);
  char32_t take(const Flags& flags);
  // The same, blanks and all.
  char32_t peek_raw(std::size_t ahead = 0) const;
  char32_t take_raw();
  // True when the next character, peeked at, lay between \Q and \E.
  bool is_quoted() const;
  // True, and it is taken, when the next character is `c` and not quoted.
  bool take_if(char32_t c, const Flags& flags);
  bool at(char32_t c, const Flags& flags);

  void go_back() { --at_; }
  // kConfig: "what (at character N)".
  Error fault(std::string what) const;

 private:
  struct Character {
    char32_t c;
    bool quoted;
  };
  void pass_blanks(const Flags& flags);

  std::vector<Character> characters_;
  std::size_t at_ = 0;
};

}  // namespace millrace::java_regex
