// property() of char_sets.h: the names of java.util.regex.Pattern (Java 17 API documentation), as
// PCRE2 10.42 has them.
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include "config/java_regex/char_sets.h"

namespace millrace::java_regex {
namespace {

// `items`: "\\p{…}", characters and ranges of them, as within a class; `complement` turns the
// whole.
struct Property {
  std::string_view name;
  std::string_view items;
  bool complement = false;
};

// Names of \p{Is…} and, under the flag U, of POSIX; compared in any case.
constexpr auto kUnicode = std::to_array<Property>({
    {"ALPHABETIC", "\\p{Alphabetic}"},
    {"ASSIGNED", "\\p{Cn}", true},
    {"CONTROL", "\\p{Cc}"},
    {"HEXDIGIT", "\\p{Nd}A-Fa-f\\x{ff21}-\\x{ff26}\\x{ff41}-\\x{ff46}"},
    {"HEX_DIGIT", "\\p{Nd}A-Fa-f\\x{ff21}-\\x{ff26}\\x{ff41}-\\x{ff46}"},
    {"IDEOGRAPHIC", "\\p{Ideographic}"},
    {"JOINCONTROL", "\\x{200c}\\x{200d}"},
    {"JOIN_CONTROL", "\\x{200c}\\x{200d}"},
    {"LETTER", "\\p{L}"},
    {"LOWERCASE", "\\p{Lowercase}"},
    {"NONCHARACTERCODEPOINT", "\\p{Noncharacter_Code_Point}"},
    {"NONCHARACTER_CODE_POINT", "\\p{Noncharacter_Code_Point}"},
    {"PUNCTUATION", "\\p{P}"},
    {"TITLECASE", "\\p{Lt}"},
    {"UPPERCASE", "\\p{Uppercase}"},
    {"WHITESPACE", "\\p{Z}\\x{9}-\\x{d}\\x{85}"},
    {"WHITE_SPACE", "\\p{Z}\\x{9}-\\x{d}\\x{85}"},
    {"WORD", "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\x{200c}\\x{200d}"},
});

constexpr auto kUnicodePosix = std::to_array<Property>({
    {"ALNUM", "\\p{Alphabetic}\\p{Nd}"},
    {"ALPHA", "\\p{Alphabetic}"},
    {"BLANK", "\\p{Zs}\\x{9}"},
    {"CNTRL", "\\p{Cc}"},
    {"DIGIT", "\\p{Nd}"},
    {"GRAPH", "\\p{Z}\\p{Cc}\\p{Cs}\\p{Cn}", true},
    {"LOWER", "\\p{Lowercase}"},
    {"PRINT", "\\p{Zl}\\p{Zp}\\p{Cc}\\p{Cs}\\p{Cn}", true},
    {"PUNCT", "\\p{P}"},
    {"SPACE", "\\p{Z}\\x{9}-\\x{d}\\x{85}"},
    {"UPPER", "\\p{Uppercase}"},
    {"XDIGIT", "\\p{Nd}A-Fa-f\\x{ff21}-\\x{ff26}\\x{ff41}-\\x{ff46}"},
});

// Compared to the letter, besides the two-letter categories.
constexpr auto kJava = std::to_array<Property>({
    {"ASCII", "\\x{0}-\\x{7f}"},
    {"Alnum", "0-9A-Za-z"},
    {"Alpha", "A-Za-z"},
    {"Blank", " \\x{9}"},
    {"Cntrl", "\\x{0}-\\x{1f}\\x{7f}"},
    {"Digit", "0-9"},
    {"Graph", "\\x{21}-\\x{7e}"},
    {"L1", "\\x{0}-\\x{ff}"},
    {"LC", "\\p{Lu}\\p{Ll}\\p{Lt}"},
    {"LD", "\\p{L}\\p{Nd}"},
    {"Lower", "a-z"},
    {"Print", "\\x{20}-\\x{7e}"},
    {"Punct", "\\x{21}-\\x{2f}\\x{3a}-\\x{40}\\x{5b}-\\x{60}\\x{7b}-\\x{7e}"},
    {"Space", "\\x{9}-\\x{d} "},
    {"Upper", "A-Z"},
    {"XDigit", "0-9A-Fa-f"},
    {"all", "\\x{0}-\\x{10ffff}"},
    {"javaAlphabetic", "\\p{Alphabetic}"},
    {"javaDefined", "\\p{Cn}", true},
    {"javaDigit", "\\p{Nd}"},
    {"javaISOControl", "\\x{0}-\\x{1f}\\x{7f}-\\x{9f}"},
    {"javaIdentifierIgnorable", "\\p{Cf}\\x{0}-\\x{8}\\x{e}-\\x{1b}\\x{7f}-\\x{9f}"},
    {"javaIdeographic", "\\p{Ideographic}"},
    {"javaJavaIdentifierPart",
     "\\p{L}\\p{Nl}\\p{Sc}\\p{Pc}\\p{Nd}\\p{Mc}\\p{Mn}\\p{Cf}"
     "\\x{0}-\\x{8}\\x{e}-\\x{1b}\\x{7f}-\\x{9f}"},
    {"javaJavaIdentifierStart", "\\p{L}\\p{Nl}\\p{Sc}\\p{Pc}"},
    {"javaLetter", "\\p{L}"},
    {"javaLetterOrDigit", "\\p{L}\\p{Nd}"},
    {"javaLowerCase", "\\p{Lowercase}"},
    {"javaMirrored", "\\p{Bidi_Mirrored}"},
    {"javaSpaceChar", "\\p{Z}"},
    {"javaTitleCase", "\\p{Lt}"},
    {"javaUnicodeIdentifierPart",
     "\\p{ID_Continue}\\p{Cf}\\x{0}-\\x{8}\\x{e}-\\x{1b}\\x{7f}-\\x{9f}"},
    {"javaUnicodeIdentifierStart", "\\p{ID_Start}"},
    {"javaUpperCase", "\\p{Uppercase}"},
    {"javaWhitespace",
     "\\x{9}-\\x{d}\\x{1c}-\\x{20}\\x{1680}\\x{2000}-\\x{2006}\\x{2008}-\\x{200a}\\x{2028}\\x{2029}"
     "\\x{205f}\\x{3000}"},
});

// Under the flag i each of a row stands for all of them.
constexpr auto kCases = std::to_array<Property>({
    {"\\p{Lu}", "\\p{Lu}\\p{Ll}\\p{Lt}"},
    {"\\p{Ll}", "\\p{Lu}\\p{Ll}\\p{Lt}"},
    {"\\p{Lt}", "\\p{Lu}\\p{Ll}\\p{Lt}"},
    {"a-z", "A-Za-z"},
    {"A-Z", "A-Za-z"},
    {"\\p{Lowercase}", "\\p{Lowercase}\\p{Uppercase}\\p{Lt}"},
    {"\\p{Uppercase}", "\\p{Lowercase}\\p{Uppercase}\\p{Lt}"},
});
constexpr std::string_view kTitleCase = "\\p{Lowercase}\\p{Uppercase}\\p{Lt}";

constexpr auto kCategories = std::to_array<std::string_view>(
    {"C",  "Cc", "Cf", "Cn", "Co", "Cs", "L",  "Ll", "Lm", "Lo", "Lt", "Lu", "M",
     "Mc", "Me", "Mn", "N",  "Nd", "Nl", "No", "P",  "Pc", "Pd", "Pe", "Pf", "Pi",
     "Po", "Ps", "S",  "Sc", "Sk", "Sm", "So", "Z",  "Zl", "Zp", "Zs"});

template <class Table>
const Property* lookup(const Table& table, std::string_view name) {
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const Property& row) { return row.name == name; });
  return found == table.end() ? nullptr : &*found;
}

std::string upper(std::string_view text) {
  std::string made(text);
  for (char& c : made) {
    c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return made;
}

// The character at the front of `text`, which loses it.
char32_t take_character(std::string_view& text) {
  char32_t c = static_cast<unsigned char>(text.front());
  std::size_t length = 1;
  if (text.starts_with("\\x{")) {
    std::uint32_t code = 0;
    std::from_chars(text.data() + 3, text.data() + text.size(), code, 16);
    c = code;
    length = text.find('}') + 1;
  }
  text.remove_prefix(length);
  return c;
}

CharSet read_items(std::string_view text) {
  CharSet set;
  while (!text.empty()) {
    if (text.starts_with("\\p")) {
      const std::size_t length = text.find('}') + 1;
      set.properties += text.substr(0, length);
      text.remove_prefix(length);
      continue;
    }
    const char32_t from = take_character(text);
    if (text.starts_with('-')) {
      text.remove_prefix(1);
      set.ranges.push_back({from, take_character(text)});
    } else {
      set.ranges.push_back({from, from});
    }
  }
  return set;
}

CharSet items(std::string_view text, const Flags& flags, bool is_category = false) {
  if (flags.any_case) {
    const Property* const cases = lookup(kCases, text);
    text = cases == nullptr ? text : text == "\\p{Lt}" && !is_category ? kTitleCase : cases->items;
  }
  return read_items(text);
}

std::optional<CharSet> of(const Property* row, const Flags& flags) {
  if (row == nullptr) {
    return std::nullopt;
  }
  CharSet set = items(row->items, flags);
  return row->complement ? negated(std::move(set)) : set;
}

std::optional<CharSet> category_or_java(std::string_view name, const Flags& flags) {
  if (std::find(kCategories.begin(), kCategories.end(), name) != kCategories.end()) {
    return items(std::string("\\p{").append(name) + "}", flags, true);
  }
  return of(lookup(kJava, name), flags);
}

std::optional<CharSet> block(std::string_view name) {
  const std::optional<CodeRange> range = unicode_block(name);
  return range ? std::optional(CharSet::of({*range})) : std::nullopt;
}

// PCRE2 says later whether there is such a script.
std::optional<CharSet> script(std::string_view name) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  if (name.starts_with('_') || name.empty() || !std::all_of(name.begin(), name.end(), is_letter)) {
    return std::nullopt;
  }
  return CharSet::of_properties(std::string("\\p{sc:").append(name) + "}");
}

std::optional<CharSet> by_key(std::string_view key, std::string_view value, const Flags& flags) {
  const std::string plain = upper(key);
  if (plain == "SC" || plain == "SCRIPT") {
    return script(value);
  }
  if (plain == "BLK" || plain == "BLOCK") {
    return block(value);
  }
  if (plain == "GC" || plain == "GENERAL_CATEGORY") {
    return category_or_java(value, flags);
  }
  return std::nullopt;
}

std::optional<CharSet> unicode_property(std::string_view name, const Flags& flags) {
  const std::string plain = upper(name);
  const Property* const row = lookup(kUnicode, plain);
  return of(row != nullptr ? row : lookup(kUnicodePosix, plain), flags);
}

}  // namespace

std::optional<CharSet> property(std::string_view name, const Flags& flags) {
  if (const std::size_t equals = name.find('='); equals != std::string_view::npos) {
    return by_key(name.substr(0, equals), name.substr(equals + 1), flags);
  }
  if (name.starts_with("In")) {
    return block(name.substr(2));
  }
  if (name.starts_with("Is")) {
    const std::string_view rest = name.substr(2);
    std::optional<CharSet> found = unicode_property(rest, flags);
    found = found ? std::move(found) : category_or_java(rest, flags);
    return found ? std::move(found) : script(rest);
  }
  if (flags.unicode_classes) {
    if (auto found = of(lookup(kUnicodePosix, upper(name)), flags)) {
      return found;
    }
  }
  return category_or_java(name, flags);
}

}  // namespace millrace::java_regex
