// A java.util.regex pattern as it was read: what the parser makes and the emitter writes for PCRE2.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace millrace::java_regex {

inline constexpr char32_t kLastCodePoint = 0x10FFFF;

struct CodeRange {
  char32_t from = 0;
  char32_t to = 0;  // Included.
};

// A set of characters, as character classes and properties name it.
struct CharSet {
  enum class Kind { kPlain, kUnion, kBoth, kNot };

  Kind kind = Kind::kPlain;
  std::vector<CodeRange> ranges;  // kPlain.
  std::string properties;         // kPlain, besides the ranges: items of a PCRE2 class, "\\p{L}".
  bool any_case = false;          // kPlain: the ranges stand for every case of their letters.
  std::vector<CharSet> parts;     // Of the other kinds; one of kNot.

  static CharSet of(std::vector<CodeRange> ranges) {
    CharSet set;
    set.ranges = std::move(ranges);
    return set;
  }
  static CharSet of_properties(std::string items) {
    CharSet set;
    set.properties = std::move(items);
    return set;
  }
};

CharSet negated(CharSet set);
CharSet united(CharSet a, CharSet b);
CharSet intersected(CharSet a, CharSet b);

// What PCRE2 is given for a place in the text, one for each alphabet: in an ASCII text the rules
// about line ends and words are simpler, and quicker.
struct Place {
  std::string_view unicode;
  std::string_view ascii;
};

struct Node {
  enum class Kind {
    kSequence,
    kChoice,      // Of parts.
    kSet,         // One character.
    kGroup,       // One part, behind `open`: "(", "(?:", "(?>", "(?=", "(?!".
    kLookBehind,  // Likewise: "(?<=", "(?<!".
    kRepeat,      // One part, `least` to `most` times, then `suffix`: "", "?" or "+".
    kReference,   // What group `least` matched.
    kPlace,
    kCluster,  // \X
  };

  Kind kind = Kind::kSequence;
  std::vector<Node> parts;
  CharSet set;
  Place place;
  std::string_view open;
  std::string_view suffix;
  std::uint32_t least = 0;
  std::uint32_t most = 0;  // kUnbounded: no limit.
  bool any_case = false;   // kReference.

  static constexpr std::uint32_t kUnbounded = 0xFFFF'FFFF;
};

struct Pattern {
  Node root;
  std::uint32_t groups = 0;
  std::map<std::string, std::uint32_t, std::less<>> names;
};

}  // namespace millrace::java_regex
