// ? * + {n} {n,} {n,m}, each also lazy (?) or possessive (+).
#pragma once

#include <optional>

#include "base/result.h"
#include "config/java_regex/pattern_text.h"
#include "config/java_regex/syntax.h"

namespace millrace::java_regex {

// A kRepeat still without what it repeats; nothing when no quantifier comes next.
Result<std::optional<Node>> read_quantifier(PatternText& text, const Flags& flags);

}  // namespace millrace::java_regex
