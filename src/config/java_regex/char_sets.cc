#include "config/java_regex/char_sets.h"

#include <algorithm>

namespace millrace::java_regex {
namespace {

constexpr char32_t kDottedCapitalI = 0x130;
constexpr char32_t kDotlessI = 0x131;
constexpr char32_t kLongS = 0x17F;
constexpr char32_t kKelvin = 0x212A;
constexpr char32_t kSharpS = 0xDF;
constexpr char32_t kLastAscii = 0x7F;

void add_shifted(std::vector<CodeRange>& ranges, CodeRange range, char32_t first, char32_t last,
                 int shift) {
  const char32_t from = std::max(range.from, first);
  const char32_t to = std::min(range.to, last);
  if (from <= to) {
    ranges.push_back({from + static_cast<char32_t>(shift), to + static_cast<char32_t>(shift)});
  }
}

bool holds(const CodeRange& range, char32_t c) {
  return range.from <= c && c <= range.to;
}

// ASCII letters are written out: without the flag u they alone have cases, and with it PCRE2 would
// take more than Java, for whom a character is in a range when it, its upper case, or the lower
// case of that is.
CharSet ascii_cases(CodeRange range, const Flags& flags) {
  CharSet set = CharSet::of({range});
  add_shifted(set.ranges, range, 'a', 'z', 'A' - 'a');
  add_shifted(set.ranges, range, 'A', 'Z', 'a' - 'A');
  const auto add_if = [&](bool is_in, char32_t c) {
    if (is_in && flags.unicode_case) {
      set.ranges.push_back({c, c});
    }
  };
  add_if(holds(range, 'i'), kDottedCapitalI);
  add_if(holds(range, 'i') || holds(range, 'I'), kDotlessI);
  add_if(holds(range, 's') || holds(range, 'S'), kLongS);
  add_if(holds(range, 'k'), kKelvin);
  return set;
}

CharSet with_cases(CodeRange range, const Flags& flags) {
  if (!flags.any_case) {
    return CharSet::of({range});
  }
  if (!flags.unicode_case) {
    return ascii_cases(range, flags);
  }
  CharSet beyond = CharSet::of({{std::max<char32_t>(range.from, kLastAscii + 1), range.to}});
  beyond.any_case = true;
  if (range.from > kLastAscii) {
    return beyond;
  }
  CharSet ascii = ascii_cases({range.from, std::min(range.to, kLastAscii)}, flags);
  return range.to > kLastAscii ? united(std::move(ascii), std::move(beyond)) : ascii;
}

CharSet with_complement(CharSet set, bool complement) {
  return complement ? negated(std::move(set)) : set;
}

const std::vector<CodeRange> kHorizontal{{'\t', '\t'},     {' ', ' '},       {0xA0, 0xA0},
                                         {0x1680, 0x1680}, {0x180E, 0x180E}, {0x2000, 0x200A},
                                         {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000}};

}  // namespace

bool set_flag(Flags& flags, char32_t letter, bool on) {
  switch (letter) {
    case 'i':
      flags.any_case = on;
      return true;
    case 'd':
      flags.unix_lines = on;
      return true;
    case 'm':
      flags.multi_line = on;
      return true;
    case 's':
      flags.dot_all = on;
      return true;
    case 'u':
      flags.unicode_case = on;
      return true;
    case 'x':
      flags.comments = on;
      return true;
    case 'U':
      flags.unicode_classes = on;
      flags.unicode_case = on;
      return true;
    default:
      return false;
  }
}

CharSet negated(CharSet set) {
  if (set.kind == CharSet::Kind::kNot) {
    return std::move(set.parts.front());
  }
  CharSet made;
  made.kind = CharSet::Kind::kNot;
  made.parts.push_back(std::move(set));
  return made;
}

CharSet united(CharSet a, CharSet b) {
  const bool plain = a.kind == CharSet::Kind::kPlain && b.kind == CharSet::Kind::kPlain;
  const bool only_ranges = b.properties.empty() && a.properties.empty() && a.any_case == b.any_case;
  if (plain && only_ranges) {
    a.ranges.insert(a.ranges.end(), b.ranges.begin(), b.ranges.end());
    return a;
  }
  CharSet made;
  made.kind = CharSet::Kind::kUnion;
  for (CharSet* part : {&a, &b}) {
    if (part->kind == CharSet::Kind::kUnion) {
      std::move(part->parts.begin(), part->parts.end(), std::back_inserter(made.parts));
    } else {
      made.parts.push_back(std::move(*part));
    }
  }
  return made;
}

CharSet intersected(CharSet a, CharSet b) {
  CharSet made;
  made.kind = CharSet::Kind::kBoth;
  made.parts.push_back(std::move(a));
  made.parts.push_back(std::move(b));
  return made;
}

CharSet single(char32_t c, const Flags& flags) {
  if (c == kSharpS) {  // Its upper case is two letters, which Java does not count.
    return CharSet::of({{c, c}});
  }
  if (!flags.any_case || !flags.unicode_case) {
    return with_cases({c, c}, flags);
  }
  switch (c) {  // Letters that are another case of an ASCII one.
    case kDotlessI:
    case kDottedCapitalI:
      c = 'i';
      break;
    case kLongS:
      c = 's';
      break;
    case kKelvin:
      c = 'k';
      break;
    default:
      c = c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
      break;
  }
  return with_cases({c, c}, flags);
}

CharSet range(char32_t from, char32_t to, const Flags& flags) {
  return with_cases({from, to}, flags);
}

CharSet dot(const Flags& flags) {
  if (flags.dot_all) {
    return CharSet::of({{0, kLastCodePoint}});
  }
  if (flags.unix_lines) {
    return negated(CharSet::of({{'\n', '\n'}}));
  }
  return negated(CharSet::of({{'\n', '\n'}, {'\r', '\r'}, {0x85, 0x85}, {0x2028, 0x2029}}));
}

std::optional<CharSet> predefined(char32_t letter, const Flags& flags) {
  const bool complement = letter >= 'A' && letter <= 'Z';
  const auto made = [&](CharSet set) { return with_complement(std::move(set), complement); };
  const auto unicode = [&](std::string_view name) { return made(*property(name, flags)); };
  switch (complement ? letter + ('a' - 'A') : letter) {
    case 'd':
      return flags.unicode_classes ? unicode("IsDigit") : made(CharSet::of({{'0', '9'}}));
    case 'h':
      return made(CharSet::of(kHorizontal));
    case 's':
      return flags.unicode_classes ? unicode("IsWhite_Space")
                                   : made(CharSet::of({{'\t', '\r'}, {' ', ' '}}));
    case 'v':
      return made(CharSet::of({{'\n', '\r'}, {0x85, 0x85}, {0x2028, 0x2029}}));
    case 'w':
      return flags.unicode_classes
                 ? unicode("IsWord")
                 : made(CharSet::of({{'a', 'z'}, {'A', 'Z'}, {'0', '9'}, {'_', '_'}}));
    default:
      return std::nullopt;
  }
}

}  // namespace millrace::java_regex
