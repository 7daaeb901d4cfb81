#include "interceptor/joda_pattern.h"

#include <algorithm>
#include <array>
#include <ctime>

namespace millrace {
namespace {

constexpr std::string_view kKnown = "yYMdHkhKmsSaEZ";
constexpr auto kMonths =
    std::to_array<std::string_view>({"January", "February", "March", "April", "May", "June", "July",
                                     "August", "September", "October", "November", "December"});
constexpr auto kDays = std::to_array<std::string_view>(
    {"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"});
constexpr std::size_t kShortName = 3;
constexpr int kYearOfNone = 2000;

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Takes `name` in any case off the front of `text`.
bool take_name(std::string_view& text, std::string_view name) {
  const std::string_view front = text.substr(0, name.size());
  const bool same = std::equal(front.begin(), front.end(), name.begin(), name.end(),
                               [](char a, char b) { return (a | 0x20) == (b | 0x20); });
  text.remove_prefix(same ? name.size() : 0);
  return same;
}

template <std::size_t N>
std::optional<int> take_one_of(std::string_view& text,
                               const std::array<std::string_view, N>& names) {
  for (std::size_t i = 0; i < N; ++i) {
    if (take_name(text, names[i]) || take_name(text, names[i].substr(0, kShortName))) {
      return static_cast<int>(i);
    }
  }
  return std::nullopt;
}

std::optional<int> take_digits(std::string_view& text, std::size_t most) {
  std::size_t digits = 0;
  int value = 0;
  while (digits < std::min(most, text.size()) && is_digit(text[digits])) {
    value = value * 10 + (text[digits++] - '0');
  }
  text.remove_prefix(digits);
  return digits > 0 ? std::optional(value) : std::nullopt;
}

// Seconds east of UTC: "Z", "+hhmm", "+hh:mm".
std::optional<int> take_offset(std::string_view& text) {
  if (take_name(text, "Z")) {
    return 0;
  }
  if (text.empty() || (text[0] != '+' && text[0] != '-')) {
    return std::nullopt;
  }
  const int sign = text[0] == '-' ? -1 : 1;
  text.remove_prefix(1);
  const std::optional<int> hours = take_digits(text, 2);
  if (text.starts_with(':')) {
    text.remove_prefix(1);
  }
  const int minutes = take_digits(text, 2).value_or(0);
  if (!hours || *hours > 23 || minutes > 59) {
    return std::nullopt;
  }
  return sign * (*hours * 3600 + minutes * 60);
}

// Two digits lie between 80 years ago and 19 ahead.
int full_year(int year) {
  const int now = static_cast<int>(1970 + std::time(nullptr) / 31'556'952);
  const int guess = now - now % 100 + year;
  return guess > now + 19 ? guess - 100 : guess < now - 80 ? guess + 100 : guess;
}

bool same_clock(const std::tm& a, const std::tm& b) {
  return a.tm_year == b.tm_year && a.tm_mon == b.tm_mon && a.tm_mday == b.tm_mday &&
         a.tm_hour == b.tm_hour && a.tm_min == b.tm_min && a.tm_sec == b.tm_sec;
}

}  // namespace

struct JodaPattern::Reading {
  std::optional<int> year;
  std::optional<int> month;
  std::optional<int> day;
  std::optional<int> hour;       // H
  std::optional<int> half_hour;  // h, K: 0 to 11.
  bool afternoon = false;
  int minute = 0;
  int second = 0;
  int ms = 0;
  std::optional<int> offset;

  // Nothing for a day that no calendar has, or an hour that the zone leaves out.
  std::optional<std::int64_t> epoch_ms() const {
    std::tm civil{};
    civil.tm_year = year.value_or(month || day ? kYearOfNone : 1970) - 1900;
    civil.tm_mon = month.value_or(1) - 1;
    civil.tm_mday = day.value_or(1);
    civil.tm_hour = half_hour ? *half_hour + (afternoon ? 12 : 0) : hour.value_or(0);
    civil.tm_min = minute;
    civil.tm_sec = second;
    civil.tm_isdst = -1;
    std::tm normal = civil;
    const std::time_t seconds = offset ? timegm(&normal) - *offset : std::mktime(&normal);
    if (!same_clock(civil, normal)) {
      return std::nullopt;
    }
    return std::int64_t{seconds} * 1000 + ms;
  }
};

Result<JodaPattern> JodaPattern::compile(std::string_view pattern) {
  JodaPattern compiled;
  if (pattern.empty()) {
    return bad_config("needs a pattern, such as yyyy-MM-dd HH:mm:ss");
  }
  for (std::string_view rest = pattern; !rest.empty();) {
    TRY(compiled.add(rest));
  }
  for (std::size_t i = 1; i < compiled.pieces_.size(); ++i) {
    const Piece& next = compiled.pieces_[i];
    compiled.pieces_[i - 1].number_follows = next.letter != 0 && !is_word(next);
  }
  return compiled;
}

// Takes a run of one letter, a quoted text or one other character.
Result<> JodaPattern::add(std::string_view& rest) {
  const char c = rest.front();
  Piece piece;
  if (is_letter(c)) {
    if (kKnown.find(c) == std::string_view::npos) {
      return bad_config("letter '" + std::string(1, c) + "' of a date pattern; known are " +
                        std::string(kKnown));
    }
    piece.letter = c;
    piece.count = std::min(rest.find_first_not_of(c), rest.size());
    rest.remove_prefix(piece.count);
  } else if (c == '\'') {
    const std::size_t end = rest.find('\'', 1);
    if (end == std::string_view::npos) {
      return bad_config("a quote of the date pattern is not closed");
    }
    piece.literal = end == 1 ? "'" : std::string(rest.substr(1, end - 1));
    rest.remove_prefix(end + 1);
  } else {
    piece.literal = c;
    rest.remove_prefix(1);
  }
  pieces_.push_back(std::move(piece));
  return {};
}

bool JodaPattern::is_word(const Piece& piece) {
  return piece.letter == 'a' || piece.letter == 'E' || piece.letter == 'Z' ||
         (piece.letter == 'M' && piece.count >= kShortName);
}

bool JodaPattern::read_word(const Piece& piece, std::string_view& text, Reading& reading) {
  switch (piece.letter) {
    case 'M':
      if (const auto month = take_one_of(text, kMonths)) {
        reading.month = *month + 1;
      }
      return reading.month.has_value();
    case 'E':
      return take_one_of(text, kDays).has_value();
    case 'a':
      reading.afternoon = take_name(text, "PM");
      return reading.afternoon || take_name(text, "AM");
    default:
      reading.offset = take_offset(text);
      return reading.offset.has_value();
  }
}

bool JodaPattern::read_number(const Piece& piece, std::string_view& text, Reading& reading) {
  const bool is_year = piece.letter == 'y' || piece.letter == 'Y';
  const std::size_t most = piece.number_follows || piece.letter == 'S' ? piece.count
                           : is_year                                   ? 9
                                                                       : 2;
  const std::size_t before = text.size();
  const std::optional<int> value = take_digits(text, std::min<std::size_t>(most, 9));
  if (!value) {
    return false;
  }
  const std::size_t digits = before - text.size();
  const auto within = [&](int low, int high) { return *value >= low && *value <= high; };
  switch (piece.letter) {
    case 'M':
      reading.month = value;
      return within(1, 12);
    case 'd':
      reading.day = value;
      return within(1, 31);
    case 'H':
      reading.hour = value;
      return within(0, 23);
    case 'k':
      reading.hour = *value % 24;
      return within(1, 24);
    case 'h':
      reading.half_hour = *value % 12;
      return within(1, 12);
    case 'K':
      reading.half_hour = value;
      return within(0, 11);
    case 'm':
      reading.minute = *value;
      return within(0, 59);
    case 's':
      reading.second = *value;
      return within(0, 59);
    case 'S': {
      double scaled = *value;
      for (std::size_t i = 0; i < digits; ++i) {
        scaled /= 10;
      }
      reading.ms = static_cast<int>(scaled * 1000 + 1e-6);
      return true;
    }
    default:
      reading.year = piece.count == 2 && digits == 2 ? full_year(*value) : *value;
      return *value < 1'000'000;
  }
}

std::optional<std::int64_t> JodaPattern::parse(std::string_view text) const {
  Reading reading;
  for (const Piece& piece : pieces_) {
    const bool fits = piece.letter == 0 ? take_name(text, piece.literal)
                      : is_word(piece)  ? read_word(piece, text, reading)
                                        : read_number(piece, text, reading);
    if (!fits) {
      return std::nullopt;
    }
  }
  return text.empty() ? reading.epoch_ms() : std::nullopt;
}

}  // namespace millrace
