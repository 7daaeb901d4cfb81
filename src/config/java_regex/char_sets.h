// The sets of characters that Java's patterns name: \d, \p{…}, blocks and scripts.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "config/java_regex/syntax.h"

namespace millrace::java_regex {

// The flags of a pattern that are in force at one place of it.
struct Flags {
  bool any_case = false;         // i
  bool unicode_case = false;     // u
  bool dot_all = false;          // s
  bool multi_line = false;       // m
  bool unix_lines = false;       // d
  bool comments = false;         // x
  bool unicode_classes = false;  // U
};

// Turns the flag of that letter; false when there is none.
bool set_flag(Flags& flags, char32_t letter, bool on);

// One character, or the characters from one to another, in the cases that the flags ask for.
CharSet single(char32_t c, const Flags& flags);
CharSet range(char32_t from, char32_t to, const Flags& flags);
// `.`
CharSet dot(const Flags& flags);
// \d \h \s \v \w and their complements by capital letters; nothing for another letter.
std::optional<CharSet> predefined(char32_t letter, const Flags& flags);
// What stands between the braces of \p{…}; nothing when Java 17 does not know it.
std::optional<CharSet> property(std::string_view name, const Flags& flags);
// A Unicode block by its name in any spelling of Java's: "Greek", "GREEK", "BasicLatin".
std::optional<CodeRange> unicode_block(std::string_view name);

}  // namespace millrace::java_regex
