#include "config/value_types.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace millrace {

namespace {

// A longer time means for ever; so that no sum of a clock and a time overflows.
constexpr std::int64_t kLongestSeconds = std::int64_t{100} * 365 * 86'400;

bool equal_in_any_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

// A comment behind a value is the most common slip: the format has none.
std::string hint_for(std::string_view text) {
  const std::size_t blank = text.find_first_of(" \t");
  const std::size_t at = text.find_first_not_of(" \t", blank);
  if (blank == std::string_view::npos || at == std::string_view::npos) {
    return "";
  }
  const std::string_view rest = text.substr(at);
  const bool is_comment = rest[0] == '#' || rest[0] == '!' || rest[0] == ';' ||
                          rest.starts_with("//") || rest.starts_with("/*");
  return is_comment ? "a comment behind a value is part of the value: give it a line of its own"
                    : "";
}

// The fault of a value that must be `what`: "a whole number of seconds".
ValueFault expected(std::string what, std::string_view text) {
  return {"expected " + std::move(what), hint_for(text), false};
}

enum class Parsed { kNumber, kTooLarge, kBad };

// Digits with an optional sign, as Java's parseLong takes them.
Parsed parse_digits(std::string_view text, bool& negative, std::uint64_t& magnitude) {
  negative = text.starts_with('-');
  if (negative || text.starts_with('+')) {
    text.remove_prefix(1);
  }
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (text.empty() || !std::all_of(text.begin(), text.end(), is_digit)) {
    return Parsed::kBad;
  }
  const auto result = std::from_chars(text.data(), text.data() + text.size(), magnitude);
  return result.ec == std::errc() ? Parsed::kNumber : Parsed::kTooLarge;
}

// Whether the number fits N; `out` is written when it does.
template <class N>
bool narrow(bool negative, std::uint64_t magnitude, N& out) {
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<N>::max());
  if (!negative || magnitude == 0) {
    out = static_cast<N>(magnitude);
    return magnitude <= kMost;
  }
  if constexpr (std::is_signed_v<N>) {
    out = static_cast<N>(std::uint64_t{0} - magnitude);
    return magnitude <= kMost + 1;
  }
  return false;
}

template <class N>
bool in_range(const FieldRange& range, N value) {
  if (!range.is_set) {
    return true;
  }
  const bool reaches = range.low <= 0 || value >= static_cast<N>(range.low);
  if constexpr (std::is_signed_v<N>) {
    return value >= range.low && value <= range.high;
  }
  return reaches && range.high >= 0 &&
         static_cast<std::uint64_t>(value) <= static_cast<std::uint64_t>(range.high);
}

template <class N>
std::string bounds(const FieldMarks& marks) {
  return marks.range.is_set ? fmt::format("{} to {}", marks.range.low, marks.range.high)
                            : fmt::format("{} to {}", std::numeric_limits<N>::min(),
                                          std::numeric_limits<N>::max());
}

template <class N>
ValueFault parse_whole(std::string_view text, const FieldMarks& marks, N& out,
                       std::string_view unit = "") {
  bool negative = false;
  std::uint64_t magnitude = 0;
  N value{};
  const Parsed parsed = parse_digits(trim(text), negative, magnitude);
  if (parsed == Parsed::kBad) {
    const std::string from = marks.range.is_set ? " from " + bounds<N>(marks) : "";
    return expected(fmt::format("a whole number{}{}", unit, from), text);
  }
  if (parsed == Parsed::kTooLarge || !narrow(negative, magnitude, value) ||
      !in_range(marks.range, value)) {
    return expected(fmt::format("a whole number{} from {}", unit, bounds<N>(marks)), text);
  }
  out = value;
  return {};
}

template <class Duration>
ValueFault parse_duration(std::string_view text, const FieldMarks& marks, Duration& out,
                          std::string_view unit, std::int64_t longest) {
  std::int64_t count = 0;
  ValueFault fault = parse_whole(text, marks, count, unit);
  if (fault.ok()) {
    out = Duration(std::clamp(count, -longest, longest));
  }
  return fault;
}

ValueFault not_a_choice(std::string_view text, const FieldMarks& marks) {
  std::string list;
  for (std::size_t i = 0; i < marks.choice_count; ++i) {
    list += i == 0 ? "" : (i + 1 == marks.choice_count ? " or " : ", ");
    list += marks.choices.at(i);
  }
  return expected((marks.choice_count > 1 ? "one of " : "") + list, text);
}

// Puts the spelling of the choice into `word`; false when it is none of them.
bool match_choice(const FieldMarks& marks, std::string& word) {
  for (std::size_t i = 0; i < marks.choice_count; ++i) {
    if (equal_in_any_case(word, marks.choices.at(i))) {
      word = marks.choices.at(i);
      return true;
    }
  }
  return marks.choice_count == 0;
}

}  // namespace

ValueFault parse_value(std::string_view text, const FieldMarks&, bool& out) {
  const std::string_view word = trim(text);
  out = equal_in_any_case(word, "true");
  if (out || equal_in_any_case(word, "false")) {
    return {};
  }
  return {"expected true or false, and is taken as false", hint_for(text), true};
}

ValueFault parse_value(std::string_view text, const FieldMarks& marks, std::int32_t& out) {
  return parse_whole(text, marks, out);
}
ValueFault parse_value(std::string_view text, const FieldMarks& marks, std::int64_t& out) {
  return parse_whole(text, marks, out);
}
ValueFault parse_value(std::string_view text, const FieldMarks& marks, std::uint16_t& out) {
  return parse_whole(text, marks, out);
}
ValueFault parse_value(std::string_view text, const FieldMarks& marks, std::uint32_t& out) {
  return parse_whole(text, marks, out);
}
ValueFault parse_value(std::string_view text, const FieldMarks& marks, std::uint64_t& out) {
  return parse_whole(text, marks, out);
}
ValueFault parse_value(std::string_view text, const FieldMarks& marks, ByteCount& out) {
  return parse_whole(text, marks, out.value, " of bytes");
}
ValueFault parse_value(std::string_view text, const FieldMarks& marks, std::chrono::seconds& out) {
  return parse_duration(text, marks, out, " of seconds", kLongestSeconds);
}
ValueFault parse_value(std::string_view text, const FieldMarks& marks,
                       std::chrono::milliseconds& out) {
  return parse_duration(text, marks, out, " of milliseconds", kLongestSeconds * 1000);
}

ValueFault parse_value(std::string_view text, const FieldMarks& marks, double& out) {
  std::string_view digits = trim(text);
  digits.remove_prefix(digits.starts_with('+') ? 1 : 0);
  double value = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool is_number = result.ec == std::errc() && result.ptr == digits.data() + digits.size() &&
                         std::isfinite(value);
  const FieldRange& range = marks.range;
  if (!is_number || (range.is_set && (value < range.low_real || value > range.high_real))) {
    return expected(range.is_set ? "a number from " + range_text(marks, true) : "a number", text);
  }
  out = value;
  return {};
}

ValueFault parse_value(std::string_view text, const FieldMarks& marks, std::string& out) {
  std::string word(text);
  if (!match_choice(marks, word)) {
    return not_a_choice(text, marks);
  }
  out = std::move(word);
  return {};
}

ValueFault parse_value(std::string_view text, const FieldMarks&, std::filesystem::path& out) {
  if (text.find('\0') != std::string_view::npos) {
    return {"expected a path, which holds no NUL character", "", false};
  }
  out = std::filesystem::path(text);
  return {};
}

ValueFault parse_value(std::string_view text, const FieldMarks& marks,
                       std::vector<std::string>& out) {
  std::vector<std::string> words = split_words(text);
  for (std::string& word : words) {
    if (!match_choice(marks, word)) {
      return not_a_choice(text, marks);
    }
  }
  out = std::move(words);
  return {};
}

}  // namespace millrace
