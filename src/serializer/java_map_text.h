// Headers as Java prints a HashMap<String, String>: what Flume's text output and its logger show.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/headers.h"

namespace millrace {

// String.hashCode() of a text in UTF-8, over its UTF-16 units; a byte that is not UTF-8 counts as
// U+FFFD, which Java puts in its place.
std::uint32_t java_string_hash(std::string_view text);

// Appends "{k1=v1, k2=v2}", or "{}", in the iteration order of a HashMap into which the headers
// were put in their order: by bucket of a table that starts with 16 and doubles beyond 3/4 of its
// size, in a bucket by age. (Buckets that Java turns into trees, from eight colliding keys on, keep
// their age order here.)
void append_java_map_text(const HeaderView& headers, std::string& out);

}  // namespace millrace
