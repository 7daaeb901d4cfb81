#include "config/java_regex/escapes.h"

namespace millrace::java_regex {
namespace {

std::optional<std::uint32_t> hex_digit(char32_t c) {
  if (is_digit(c)) {
    return c - '0';
  }
  const char32_t lower = c | 0x20U;
  return lower >= 'a' && lower <= 'f' ? std::optional(lower - 'a' + 10) : std::nullopt;
}

bool is_octal(char32_t c) {
  return c >= '0' && c <= '7';
}

// \0n, \0nn, \0mnn with m up to 3.
Result<char32_t> octal(PatternText& text) {
  if (!is_octal(text.peek_raw())) {
    return text.fault("illegal octal escape: \\0 needs digits from 0 to 7");
  }
  char32_t value = text.take_raw() - '0';
  const int more = value <= 3 ? 2 : 1;
  for (int i = 0; i < more && is_octal(text.peek_raw()); ++i) {
    value = value * 8 + (text.take_raw() - '0');
  }
  return value;
}

Result<char32_t> hex_digits(PatternText& text, int count, std::string_view form) {
  char32_t value = 0;
  for (int i = 0; i < count; ++i) {
    const std::optional<std::uint32_t> digit = hex_digit(text.peek_raw());
    if (!digit) {
      return text.fault(std::string("illegal escape: expected ").append(form));
    }
    value = value * 16 + *digit;
    text.take_raw();
  }
  return value;
}

// \xHH, \x{H…}
Result<char32_t> hexadecimal(PatternText& text) {
  if (text.peek_raw() != '{') {
    return hex_digits(text, 2, "\\xHH or \\x{H…}");
  }
  text.take_raw();
  char32_t value = 0;
  int digits = 0;
  for (; const std::optional<std::uint32_t> digit = hex_digit(text.peek_raw()); ++digits) {
    value = value * 16 + *digit;
    text.take_raw();
    if (value > kLastCodePoint) {
      return text.fault("illegal escape: there is no character beyond \\x{10FFFF}");
    }
  }
  if (digits == 0 || text.take_raw() != '}') {
    return text.fault("illegal escape: expected hexadecimal digits and } behind \\x{");
  }
  return value;
}

bool between(char32_t c, char32_t from, char32_t to) {
  return from <= c && c <= to;
}

// \uHHHH; two that make a surrogate pair are one character.
Result<char32_t> utf16(PatternText& text) {
  const char32_t high = TRY(hex_digits(text, 4, "\\uHHHH"));
  if (!between(high, 0xD800, 0xDBFF) || text.peek_raw() != '\\' || text.peek_raw(1) != 'u') {
    return high;
  }
  const PatternText before = text;
  text.take_raw();
  text.take_raw();
  const char32_t low = TRY(hex_digits(text, 4, "\\uHHHH"));
  if (!between(low, 0xDC00, 0xDFFF)) {
    text = before;
    return high;
  }
  return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
}

Result<CharSet> property_named(PatternText& text, const Flags& flags, bool complement) {
  std::string name;
  if (text.peek(flags) != '{') {
    const char32_t letter = text.take_raw();
    name = letter < 0x80 ? std::string(1, static_cast<char>(letter)) : std::string();
  } else {
    text.take_raw();
    for (char32_t c = text.take_raw(); c != '}'; c = text.take_raw()) {
      if (c == kEnd) {
        return text.fault("unclosed character property: no } behind \\p{");
      }
      name += c < 0x80 ? static_cast<char>(c) : '?';
    }
  }
  std::optional<CharSet> set = property(name, flags);
  if (!set) {
    return text.fault("unknown character property \"" + name + "\"");
  }
  return complement ? negated(std::move(*set)) : std::move(*set);
}

std::optional<char32_t> simple(char32_t c) {
  switch (c) {
    case 'a':
      return 7;
    case 'e':
      return 27;
    case 'f':
      return 12;
    case 'n':
      return 10;
    case 'r':
      return 13;
    case 't':
      return 9;
    default:
      return is_letter(c) || is_digit(c) ? std::nullopt : std::optional(c);
  }
}

Result<std::optional<Escaped>> character(Result<char32_t> read) {
  return std::optional<Escaped>(TRY(std::move(read)));
}

}  // namespace

Result<std::optional<Escaped>> read_escape(PatternText& text, const Flags& flags) {
  const char32_t c = text.take_raw();
  switch (c) {
    case kEnd:
      return text.fault("nothing behind the backslash at the end");
    case '0':
      return character(octal(text));
    case 'c':
      if (text.peek_raw() == kEnd) {
        return text.fault("illegal control escape: nothing behind \\c");
      }
      return character(text.take_raw() ^ 64U);
    case 'u':
      return character(utf16(text));
    case 'x':
      return character(hexadecimal(text));
    case 'N':
      return text.fault("\\N{…}, a character by its name, is not supported: write \\x{…}");
    case 'p':
    case 'P':
      return std::optional<Escaped>(TRY(property_named(text, flags, c == 'P')));
    default:
      break;
  }
  if (const std::optional<char32_t> plain = simple(c)) {
    return std::optional<Escaped>(*plain);
  }
  if (std::optional<CharSet> set = predefined(c, flags)) {
    return std::optional<Escaped>(std::move(*set));
  }
  text.go_back();
  return std::optional<Escaped>();
}

}  // namespace millrace::java_regex
