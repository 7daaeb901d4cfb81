// The Java .properties grammar, in full: comments, the three separators, continued lines, escapes.
// Format: docs/formats/properties.md. Source: java.util.Properties.load.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "config/diagnostics.h"
#include "config/property_section.h"

namespace millrace {

// A larger file is an error and is not read: no configuration is that long.
inline constexpr std::size_t kMostPropertiesBytes = std::size_t{16} << 20;

// The entries of one file, full keys, in its order; values are UTF-8, blanks at their end included.
// The last entry of a key wins, in its own place, and a warning says so. Bytes beyond ASCII: an
// entry that is valid UTF-8 is kept, any other is read as ISO-8859-1, as Java reads all. A
// malformed \uXXXX costs its entry (an error). `file` is the name in messages.
PropertySection parse_properties(std::string_view bytes, std::string_view file,
                                 Diagnostics& diagnostics);

// One set from several, in order: an entry of a later set replaces that of an earlier one.
PropertySection merge_properties(const std::vector<PropertySection>& sets);

}  // namespace millrace
