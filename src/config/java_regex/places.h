// Places in a text that a pattern names: ^ $ \b \B \A \z \Z \G.
#pragma once

#include <optional>

#include "config/java_regex/char_sets.h"
#include "config/java_regex/syntax.h"

namespace millrace::java_regex {

Place line_start(const Flags& flags);
Place line_end(const Flags& flags);
// By the letter behind the backslash.
std::optional<Place> named_place(char32_t letter, const Flags& flags);

}  // namespace millrace::java_regex
