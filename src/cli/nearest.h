// The known word that a misspelt one was meant to be.
#pragma once

#include <span>
#include <string_view>

namespace millrace {

// The word of `words` with the fewest changes (Levenshtein) to `word`; nothing when even that one
// needs more than a third of the letters, or two, whichever is more.
std::string_view nearest(std::string_view word, std::span<const std::string_view> words);

}  // namespace millrace
