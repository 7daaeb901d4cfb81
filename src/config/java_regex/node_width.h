// What a look-behind has to know of what it holds.
#pragma once

#include <cstdint>
#include <optional>

#include "config/java_regex/syntax.h"

namespace millrace::java_regex {

// Characters that a node takes, when that is always the same.
std::optional<std::uint64_t> width(const Node& node);
// Whether a group in it captures.
bool captures(const Node& node);

}  // namespace millrace::java_regex
