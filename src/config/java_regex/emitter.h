// Writes a pattern of Java as one of PCRE2.
#pragma once

#include <string>

#include "base/result.h"
#include "config/java_regex/syntax.h"

namespace millrace::java_regex {

enum class Alphabet {
  kAscii,    // For texts without a byte above 0x7F; not in PCRE2's UTF mode.
  kUnicode,  // For UTF-8, in UTF mode.
};

struct Emitted {
  std::string quick;
  std::string timed;  // The same, with a callout before and in whatever is repeated.
};

// For PCRE2_DOTALL and no other option that changes what a pattern means. kConfig for what has no
// counterpart there.
Result<Emitted> emit(const Pattern& pattern, Alphabet alphabet);

}  // namespace millrace::java_regex
