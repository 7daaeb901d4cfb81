// Reads a pattern of java.util.regex (Java 17 API documentation, class Pattern; where that is
// silent, as its implementation does).
#pragma once

#include <string_view>

#include "base/result.h"
#include "config/java_regex/syntax.h"

namespace millrace::java_regex {

// kConfig, with the place, for what Java refuses too and for what has no counterpart in PCRE2.
// `pattern` is UTF-8.
Result<Pattern> parse(std::string_view pattern);

}  // namespace millrace::java_regex
