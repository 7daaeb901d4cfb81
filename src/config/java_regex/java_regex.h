// Regular expressions as java.util.regex understands them (Java 17), which is what Flume's files
// are written in. A pattern is translated to PCRE2 and compiled to machine code; what cannot be
// translated is refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "config/java_regex/regex_answer.h"
#include "config/java_regex/replacement.h"

namespace millrace {

// A compiled pattern and the space to match in.
//
// Texts are bytes, taken for UTF-8: malformed bytes are seen as U+FFFD, as Java sees them; what a
// replacement leaves alone keeps its own bytes. Differences from Java: the page
// docs/user/regular-expressions.md.
//
// Bounds: the searches in one text give up after about 0.1 s of processor time and 200 ns for each
// byte of it, after a million steps from one place (fewer in a text of more than 400 bytes, of
// which each step may read all), or 1 MiB of stack. Nothing is allocated a search, but for texts
// that are no UTF-8. Threads: one at a time; moved, not copied.
class JavaRegex {
 public:
  // kConfig, saying what and where, for a pattern that Java refuses or that has no counterpart.
  // `pattern` is UTF-8.
  static Result<JavaRegex> compile(std::string_view pattern);
  JavaRegex(JavaRegex&&) noexcept;
  JavaRegex& operator=(JavaRegex&&) noexcept;
  ~JavaRegex();

  // Whether the whole text matches, as Matcher.matches().
  RegexAnswer matches(std::string_view text);
  // The first match in the text, as Matcher.find().
  RegexAnswer find(std::string_view text);

  // Capturing groups of the pattern, the whole match not counted.
  std::uint32_t groups() const;
  // After kMatch: what group `i` took; 0 is the whole match. Nothing for a group that took no part.
  // Valid until the next call; U+FFFD stands for malformed bytes.
  std::optional<std::string_view> group(std::uint32_t i) const;
  // Likewise, but the bytes as they are, borrowed from the text.
  std::optional<std::string_view> group_bytes(std::uint32_t i) const;

  // Checks what replace_all() shall put in. kConfig for what makes Java throw.
  Result<JavaReplacement> replacement(std::string_view text) const;
  // As Matcher.replaceAll(): on kMatch `out` holds the new text; otherwise it says nothing. Gives
  // up on a new text of more than `most_bytes`.
  RegexAnswer replace_all(std::string_view text, const JavaReplacement& replacement,
                          std::size_t most_bytes, std::string& out);

 private:
  class Matcher;
  explicit JavaRegex(std::unique_ptr<Matcher> matcher);
  std::unique_ptr<Matcher> matcher_;
};

}  // namespace millrace
