// Character classes of syslog heads: ASCII alone, as Java's \d, \s and \w have them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace millrace {

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}
constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
constexpr bool is_word(char c) {
  return is_letter(c) || is_digit(c) || c == '_';
}

// How many digits `text` begins with.
constexpr std::size_t count_digits(std::string_view text) {
  std::size_t count = 0;
  while (count < text.size() && is_digit(text[count])) {
    ++count;
  }
  return count;
}

// Whether `count` digits stand at `at`.
constexpr bool are_digits(std::string_view text, std::size_t at, std::size_t count) {
  if (text.size() < at + count) {
    return false;
  }
  bool all = true;
  for (const char c : text.substr(at, count)) {
    all &= is_digit(c);
  }
  return all;
}

// The number that the first `digits` characters of `text` are; they are at most 18.
constexpr std::int64_t number_of(std::string_view text, std::size_t digits) {
  std::int64_t value = 0;
  for (const char c : text.substr(0, digits)) {
    value = value * 10 + (c - '0');
  }
  return value;
}

}  // namespace millrace
