// ${…} in values, as Apache Commons Text resolves it for Flume.
#pragma once

#include <set>
#include <string>

#include "config/diagnostics.h"
#include "config/lookups.h"
#include "config/property_section.h"

namespace millrace {

// A value that grows beyond this, or all values beyond kMostResolvedBytes together, is an error.
inline constexpr std::size_t kMostValueBytes = std::size_t{1} << 20;
inline constexpr std::size_t kMostResolvedBytes = std::size_t{64} << 20;

struct Interpolated {
  PropertySection properties;
  std::set<std::string, std::less<>> referenced;  // What some value refers to and was found:
                                                  // variables by their full key, -D properties
                                                  // as sys:name.
};

// Resolves the values of a merged set, never its keys:
//   ${env:NAME} ${sys:name} ${java:os} ${date:pattern}   by lookups.h
//   ${name}                                              another entry of the set, by its full key
//   ${x:-default}  ${${a}}  $${x} (stays ${x})           default, nesting, escape
// What cannot be resolved stays as it is, with a warning when its prefix is one of the four (other
// text of this shape is for a shell, a regular expression or a config filter). References may point
// forward; a circle is an error and stays as it is.
Interpolated interpolate(const PropertySection& merged, const LookupContext& context,
                         Diagnostics& diagnostics);

}  // namespace millrace
