#include "source/syslog/date_pattern.h"

#include <algorithm>

#include "source/syslog/ascii.h"

namespace millrace {
namespace {

constexpr std::string_view kNumbers = "yMdHkhmsS";
constexpr std::string_view kKnown = "yMdHkhmsSaEZXz";

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return (x | 0x20) == (y | 0x20); });
}

// Takes `name` in any case off the front of `text`.
bool take_name(std::string_view& text, std::string_view name) {
  if (!equal_ignoring_case(text.substr(0, name.size()), name)) {
    return false;
  }
  text.remove_prefix(name.size());
  return true;
}

// The position in `names` of the one that `text` begins with, long or cut to three letters; -1.
template <std::size_t N>
int take_one_of(std::string_view& text, const std::string_view (&names)[N]) {
  for (std::size_t i = 0; i < N; ++i) {
    if (take_name(text, names[i]) || take_name(text, names[i].substr(0, 3))) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

constexpr std::string_view kMonths[] = {"January",   "February", "March",    "April",
                                        "May",       "June",     "July",     "August",
                                        "September", "October",  "November", "December"};
constexpr std::string_view kDays[] = {"Monday", "Tuesday",  "Wednesday", "Thursday",
                                      "Friday", "Saturday", "Sunday"};

// What has been read of a time.
struct Reading {
  CivilTime civil{1970, 1, 1, 0, 0, 0};
  int ms = 0;
  bool twelve_hours = false;
  bool afternoon = false;
  std::optional<int> offset;
};

std::optional<int> take_number(std::string_view& text, std::size_t most) {
  std::size_t digits = 0;
  int value = 0;
  while (digits < std::min(most, text.size()) && is_digit(text[digits])) {
    value = value * 10 + (text[digits++] - '0');
  }
  text.remove_prefix(digits);
  return digits == 0 ? std::nullopt : std::optional<int>(value);
}

// "+hhmm", "+hh:mm", "+hh", "Z", "GMT", "UTC" or the last two with an offset.
bool take_zone(std::string_view& text, Reading& reading) {
  reading.offset = 0;
  if (text.starts_with('Z')) {
    text.remove_prefix(1);
    return true;
  }
  const bool named = take_name(text, "GMT") || take_name(text, "UTC");
  if (text.empty() || (text[0] != '+' && text[0] != '-')) {
    return named;
  }
  const int sign = text[0] == '-' ? -1 : 1;
  text.remove_prefix(1);
  const auto hours = take_number(text, 2);
  if (text.starts_with(':')) {
    text.remove_prefix(1);
  }
  const auto minutes = take_number(text, 2);
  reading.offset = sign * (hours.value_or(0) * 3600 + minutes.value_or(0) * 60);
  return hours.has_value();
}

// Two-digit years lie between 80 years ago and 20 years ahead.
int full_year(int year, std::int64_t now_ms) {
  const int now = static_cast<int>(1970 + now_ms / 31'556'952'000);
  const int guess = now - now % 100 + year;
  return guess > now + 20 ? guess - 100 : guess <= now - 80 ? guess + 100 : guess;
}

// The text that the quote at `at` of a pattern opens; '' stands for a quote, in quotes and outside.
// `at` moves behind it. Nothing when the quote is not closed.
std::optional<std::string> take_quoted(std::string_view pattern, std::size_t& at) {
  if (pattern.substr(at, 2) == "''") {
    at += 2;
    return "'";
  }
  std::string text;
  for (++at; at < pattern.size(); ++at) {
    if (pattern[at] == '\'') {
      if (pattern.substr(at, 2) != "''") {
        ++at;
        return text;
      }
      ++at;
    }
    text += pattern[at];
  }
  return std::nullopt;
}

void take_field(char letter, int value, Reading& reading) {
  switch (letter) {
    case 'y':
      reading.civil.year = value;
      return;
    case 'M':
      reading.civil.month = value;
      return;
    case 'd':
      reading.civil.day = value;
      return;
    case 'h':
      reading.twelve_hours = true;
      reading.civil.hour = value % 12;
      return;
    case 'H':
      reading.civil.hour = value;
      return;
    case 'k':
      reading.civil.hour = value % 24;
      return;
    case 'm':
      reading.civil.minute = value;
      return;
    case 's':
      reading.civil.second = value;
      return;
    default:
      reading.ms = value;
  }
}

bool take_words(char letter, std::string_view& text, Reading& reading) {
  switch (letter) {
    case 'M': {
      const int month = take_one_of(text, kMonths);
      reading.civil.month = month + 1;
      return month >= 0;
    }
    case 'E':
      return take_one_of(text, kDays) >= 0;
    case 'a':
      reading.afternoon = take_name(text, "PM");
      return reading.afternoon || take_name(text, "AM");
    default:
      return take_zone(text, reading);
  }
}

}  // namespace

Result<DatePattern> DatePattern::compile(std::string_view pattern) {
  DatePattern compiled;
  const auto add_literal = [&](std::string_view text) {
    if (compiled.pieces_.empty() || compiled.pieces_.back().letter != 0) {
      compiled.pieces_.push_back({0, 0, false, {}});
    }
    compiled.pieces_.back().literal += text;
  };
  for (std::size_t at = 0; at < pattern.size();) {
    const char c = pattern[at];
    if (c == '\'') {
      const auto quoted = take_quoted(pattern, at);
      if (!quoted) {
        return bad_config("a quote of the date pattern is not closed");
      }
      add_literal(*quoted);
    } else if (!is_letter(c)) {
      add_literal(pattern.substr(at++, 1));
    } else if (kKnown.find(c) == std::string_view::npos) {
      return bad_config("letter '" + std::string(1, c) + "' of a date pattern; known are " +
                        std::string(kKnown));
    } else {
      const std::size_t end = std::min(pattern.find_first_not_of(c, at), pattern.size());
      const bool number = kNumbers.find(c) != std::string_view::npos && !(c == 'M' && end - at > 2);
      if (number && !compiled.pieces_.empty() && compiled.pieces_.back().letter != 0 &&
          kNumbers.find(compiled.pieces_.back().letter) != std::string_view::npos) {
        compiled.pieces_.back().fixed_width = true;
      }
      compiled.pieces_.push_back({c, end - at, false, {}});
      at = end;
    }
  }
  return compiled;
}

std::optional<std::int64_t> DatePattern::parse(std::string_view text, SyslogTime& time) const {
  Reading reading;
  for (const Piece& piece : pieces_) {
    if (piece.letter == 0) {
      if (!text.starts_with(piece.literal)) {
        return std::nullopt;
      }
      text.remove_prefix(piece.literal.size());
      continue;
    }
    const bool word = kNumbers.find(piece.letter) == std::string_view::npos ||
                      (piece.letter == 'M' && piece.count > 2);
    if (word) {
      if (!take_words(piece.letter, text, reading)) {
        return std::nullopt;
      }
      continue;
    }
    while (text.starts_with(' ')) {  // Java skips blanks before a number.
      text.remove_prefix(1);
    }
    const std::size_t before = text.size();
    auto number = take_number(text, piece.fixed_width ? piece.count : 9);
    if (!number) {
      return std::nullopt;
    }
    if (piece.letter == 'y' && piece.count <= 2 && before - text.size() == 2) {
      number = full_year(*number, time.now_ms());
    }
    take_field(piece.letter, *number, reading);
  }
  if (reading.twelve_hours && reading.afternoon) {
    reading.civil.hour += 12;
  }
  const std::int64_t seconds =
      reading.offset ? utc_seconds(reading.civil) - *reading.offset : time.seconds(reading.civil);
  return seconds * 1000 + reading.ms;
}

}  // namespace millrace
