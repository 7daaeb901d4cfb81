// What a backslash begins that stands for one character: a character, or a set of them.
#pragma once

#include <optional>
#include <variant>

#include "base/result.h"
#include "config/java_regex/char_sets.h"
#include "config/java_regex/pattern_text.h"

namespace millrace::java_regex {

using Escaped = std::variant<char32_t, CharSet>;

// Called behind the backslash. Nothing, and nothing is taken, for a letter or digit that stands for
// no character, or that Java does not know.
Result<std::optional<Escaped>> read_escape(PatternText& text, const Flags& flags);

}  // namespace millrace::java_regex
