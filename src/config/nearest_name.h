// Finds what a misspelt name was meant to be.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace millrace {

// Letters to add, drop, replace or swap with the next one to turn `a` into `b`, whatever their
// case. Bytes, not characters.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The one of `known` that is nearest to `word`, or empty when none is near: a third of the word's
// letters at most, and never more than three. Borrows from `known`.
std::string_view nearest_name(std::string_view word, const std::vector<std::string_view>& known);

// `did you mean "NAME"?`, or empty when `name` is empty: the hint of a Diagnostic.
std::string did_you_mean(std::string_view name);

}  // namespace millrace
