// Character classes: [a-z&&[^aeiou]].
#pragma once

#include "base/result.h"
#include "config/java_regex/char_sets.h"
#include "config/java_regex/pattern_text.h"

namespace millrace::java_regex {

// Called behind the opening bracket; takes the closing one.
Result<CharSet> read_class(PatternText& text, const Flags& flags, int depth = 0);

}  // namespace millrace::java_regex
