#pragma once

namespace millrace {

// What became of a search. A pattern may ask for more steps than any text is worth: then the search
// gives up, and says so.
enum class RegexAnswer { kNoMatch, kMatch, kGaveUp };

}  // namespace millrace
