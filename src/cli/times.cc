#include "cli/times.h"

#include <fmt/core.h>

#include <charconv>
#include <chrono>

namespace millrace {
namespace {

using std::chrono::milliseconds;

// Takes parts off the front of a text; once one is not as expected, nothing more is.
class Parts {
 public:
  explicit Parts(std::string_view text) : rest_(text) {}

  // A number of just `digits` digits, from `low` to `high`.
  int number(std::size_t digits, int low, int high) {
    int value = low;
    const std::string_view part = rest_.substr(0, digits);
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    good_ = good_ && part.size() == digits && error == std::errc() && end == part.data() + digits &&
            value >= low && value <= high;
    rest_.remove_prefix(part.size());
    return good_ ? value : low;
  }
  // One of `letters`, in any case; 0 when it is none.
  char letter(std::string_view letters) {
    const char upper = rest_.empty()          ? '\0'
                       : rest_.front() == 't' ? 'T'
                       : rest_.front() == 'z' ? 'Z'
                                              : rest_.front();
    good_ = good_ && upper != '\0' && letters.find(upper) != std::string_view::npos;
    rest_.remove_prefix(rest_.empty() ? 0 : 1);
    return good_ ? upper : '\0';
  }
  bool next_is(char letter) const { return rest_.starts_with(letter); }
  // Digits of a fraction, as thousandths.
  int thousandths() {
    int value = 0;
    int unit = 100;
    std::size_t digits = 0;
    for (; digits < rest_.size() && rest_[digits] >= '0' && rest_[digits] <= '9'; ++digits) {
      value += unit * (rest_[digits] - '0');
      unit /= 10;
    }
    good_ = good_ && digits > 0;
    rest_.remove_prefix(digits);
    return value;
  }
  bool are_over() const { return good_ && rest_.empty(); }
  void expect(bool holds) { good_ = good_ && holds; }

 private:
  std::string_view rest_;
  bool good_ = true;
};

std::chrono::sys_days take_date(Parts& parts) {
  const int year = parts.number(4, 0, 9999);
  parts.letter("-");
  const int month = parts.number(2, 1, 12);
  parts.letter("-");
  const int day = parts.number(2, 1, 31);
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  parts.expect(date.ok());
  return std::chrono::sys_days(date);
}

milliseconds take_time_of_day(Parts& parts) {
  const std::chrono::hours hours(parts.number(2, 0, 23));
  parts.letter(":");
  const std::chrono::minutes minutes(parts.number(2, 0, 59));
  parts.letter(":");
  const std::chrono::seconds seconds(parts.number(2, 0, 60));  // With leap seconds.
  milliseconds rest(0);
  if (parts.next_is('.')) {
    parts.letter(".");
    rest = milliseconds(parts.thousandths());
  }
  return hours + minutes + seconds + rest;
}

// How far the zone is ahead of UTC.
std::chrono::minutes take_zone(Parts& parts) {
  const char kind = parts.letter("Z+-");
  if (kind == 'Z' || kind == '\0') {
    return {};
  }
  const std::chrono::hours hours(parts.number(2, 0, 23));
  parts.letter(":");
  const std::chrono::minutes ahead = hours + std::chrono::minutes(parts.number(2, 0, 59));
  return kind == '-' ? -ahead : ahead;
}

}  // namespace

std::string time_text(std::int64_t epoch_ms) {
  const std::chrono::sys_time<milliseconds> time{milliseconds(epoch_ms)};
  const auto days = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(days);
  const std::chrono::hh_mm_ss<milliseconds> clock(time - days);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                     clock.subseconds().count());
}

std::optional<std::int64_t> parse_time(std::string_view text) {
  Parts parts(text);
  const std::chrono::sys_days date = take_date(parts);
  parts.letter("T ");
  const milliseconds of_day = take_time_of_day(parts);
  const std::chrono::minutes ahead = take_zone(parts);
  if (!parts.are_over()) {
    return std::nullopt;
  }
  return milliseconds(date.time_since_epoch() + of_day - ahead).count();
}

}  // namespace millrace
