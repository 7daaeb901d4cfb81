#include "config/java_regex/places.h"

// Java's rules, where PCRE2's differ: lines end with \n, \r\n, \r, U+0085, U+2028 or U+2029, and
// nothing matches between \r and \n; ^ of many lines does not match at the end of the text.
namespace millrace::java_regex {
namespace {

constexpr Place kTextStart{"\\A", "\\A"};
constexpr Place kTextEnd{"\\z", "\\z"};
constexpr Place kLastLineEnd{"(?=(?:\\r\\n|(?<!\\r)\\n|[\\r\\x{85}\\x{2028}\\x{2029}])?\\z)",
                             "(?=(?:\\r\\n|(?<!\\r)\\n|\\r)?\\z)"};
constexpr Place kLastUnixLineEnd{"(?=\\n?\\z)", "(?=\\n?\\z)"};

// Java up to 18: a word character is _, a letter, a digit of any script, or a mark upon one of the
// latter two; three marks upon one character are looked at.
constexpr Place kWordEdge{
    "(?(?<=[\\p{L}\\p{Nd}_]|[\\p{L}\\p{Nd}]\\p{Mn}|"
    "[\\p{L}\\p{Nd}]\\p{Mn}{2}|[\\p{L}\\p{Nd}]\\p{Mn}{3})"
    "(?![\\p{L}\\p{Nd}_]|(?<!_)\\p{Mn})|(?=[\\p{L}\\p{Nd}_]))",
    "\\b"};
constexpr Place kNoWordEdge{
    "(?(?<=[\\p{L}\\p{Nd}_]|[\\p{L}\\p{Nd}]\\p{Mn}|"
    "[\\p{L}\\p{Nd}]\\p{Mn}{2}|[\\p{L}\\p{Nd}]\\p{Mn}{3})"
    "(?=[\\p{L}\\p{Nd}_]|(?<!_)\\p{Mn})|(?![\\p{L}\\p{Nd}_]))",
    "\\B"};
constexpr Place kUnicodeWordEdge{
    "(?(?<=[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\x{200c}\\x{200d}])"
    "(?![\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\x{200c}\\x{200d}])"
    "|(?=[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\x{200c}\\x{200d}]))",
    "\\b"};
constexpr Place kNoUnicodeWordEdge{
    "(?(?<=[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\x{200c}\\x{200d}])"
    "(?=[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\x{200c}\\x{200d}])"
    "|(?![\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\x{200c}\\x{200d}]))",
    "\\B"};

}  // namespace

Place line_start(const Flags& flags) {
  if (!flags.multi_line) {
    return kTextStart;
  }
  if (flags.unix_lines) {
    return {"(?:(?!\\z)(?:\\A|(?<=\\n)))", "(?:(?!\\z)(?:\\A|(?<=\\n)))"};
  }
  return {"(?:(?!\\z)(?:\\A|(?<=[\\n\\x{85}\\x{2028}\\x{2029}])|(?<=\\r)(?!\\n)))",
          "(?:(?!\\z)(?:\\A|(?<=\\n)|(?<=\\r)(?!\\n)))"};
}

Place line_end(const Flags& flags) {
  if (!flags.multi_line) {
    return flags.unix_lines ? kLastUnixLineEnd : kLastLineEnd;
  }
  if (flags.unix_lines) {
    return {"(?=\\n|\\z)", "(?=\\n|\\z)"};
  }
  return {"(?=[\\r\\x{85}\\x{2028}\\x{2029}]|(?<!\\r)\\n|\\z)", "(?=\\r|(?<!\\r)\\n|\\z)"};
}

std::optional<Place> named_place(char32_t letter, const Flags& flags) {
  switch (letter) {
    case 'A':
      return kTextStart;
    case 'B':
      return flags.unicode_classes ? kNoUnicodeWordEdge : kNoWordEdge;
    case 'G':
      return Place{"\\G", "\\G"};
    case 'Z':
      return flags.unix_lines ? kLastUnixLineEnd : kLastLineEnd;
    case 'b':
      return flags.unicode_classes ? kUnicodeWordEdge : kWordEdge;
    case 'z':
      return kTextEnd;
    default:
      return std::nullopt;
  }
}

}  // namespace millrace::java_regex
