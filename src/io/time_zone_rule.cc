#include "io/time_zone_rule.h"

#include <charconv>
#include <chrono>
#include <string>

namespace millrace {
namespace {

using std::chrono::days;
using std::chrono::sys_days;

constexpr int kMostHours = 167;  // Of the time of a change (RFC 8536).

bool take(std::string_view& rest, char c) {
  if (!rest.starts_with(c)) {
    return false;
  }
  rest.remove_prefix(1);
  return true;
}

bool take_number(std::string_view& rest, int most, int& number) {
  const auto [end, bad] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  if (bad != std::errc() || number < 0 || number > most) {
    return false;
  }
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  return true;
}

// "CET" or "<+0530>".
bool take_name(std::string_view& rest) {
  const bool is_quoted = take(rest, '<');
  std::size_t size = 0;
  while (size < rest.size() &&
         (is_quoted ? rest[size] != '>' : ((rest[size] | 32) >= 'a' && (rest[size] | 32) <= 'z'))) {
    ++size;
  }
  rest.remove_prefix(size);
  return size >= 3 && (!is_quoted || take(rest, '>'));
}

// "2", "-1:30", "02:00:00".
bool take_time(std::string_view& rest, int& seconds) {
  const bool is_negative = take(rest, '-');
  if (!is_negative) {
    (void)take(rest, '+');
  }
  int hours = 0;
  int minutes = 0;
  int rest_seconds = 0;
  if (!take_number(rest, kMostHours, hours)) {
    return false;
  }
  if (take(rest, ':') && !take_number(rest, 59, minutes)) {
    return false;
  }
  if (take(rest, ':') && !take_number(rest, 59, rest_seconds)) {
    return false;
  }
  seconds = (hours * 60 + minutes) * 60 + rest_seconds;
  seconds = is_negative ? -seconds : seconds;
  return true;
}

int year_of(std::int64_t seconds) {
  const auto day =
      std::chrono::floor<days>(std::chrono::sys_seconds(std::chrono::seconds(seconds)));
  return static_cast<int>(std::chrono::year_month_day(day).year());
}

}  // namespace

bool TimeZoneRule::take_change(std::string_view& rest, YearlyChange& change) {
  if (take(rest, 'M')) {
    change.kind = YearlyChange::Kind::kWeekday;
    if (!take_number(rest, 12, change.month) || change.month == 0 || !take(rest, '.') ||
        !take_number(rest, 5, change.week) || change.week == 0 || !take(rest, '.') ||
        !take_number(rest, 6, change.day)) {
      return false;
    }
  } else {
    change.kind = take(rest, 'J') ? YearlyChange::Kind::kJulian : YearlyChange::Kind::kDay;
    if (!take_number(rest, 365, change.day)) {
      return false;
    }
  }
  return !take(rest, '/') || take_time(rest, change.seconds);
}

Result<TimeZoneRule> TimeZoneRule::parse(std::string_view text) {
  const Error bad = corrupt("\"" + std::string(text) + "\" is no rule of a time zone");
  TimeZoneRule rule;
  int west = 0;
  if (!take_name(text) || !take_time(text, west)) {
    return bad;
  }
  rule.standard_ = -west;
  if (text.empty()) {
    return rule;
  }
  if (!take_name(text)) {
    return bad;
  }
  rule.summer_ = rule.standard_ + 3600;
  if (!text.starts_with(',')) {
    if (!take_time(text, west)) {
      return bad;
    }
    rule.summer_ = -west;
  }
  rule.to_summer_.emplace();
  if (!take(text, ',') || !take_change(text, *rule.to_summer_) || !take(text, ',') ||
      !take_change(text, rule.to_standard_) || !text.empty()) {
    return bad;
  }
  return rule;
}

// By the clocks of the zone, as if they showed UTC.
std::int64_t TimeZoneRule::local_seconds(const YearlyChange& change, int year) {
  using std::chrono::weekday;
  const std::chrono::year y(year);
  sys_days day = sys_days(y / std::chrono::January / 1);
  if (change.kind == YearlyChange::Kind::kWeekday) {
    const std::chrono::month month(static_cast<unsigned>(change.month));
    const weekday wanted(static_cast<unsigned>(change.day));
    day = change.week == 5 ? sys_days(y / month / wanted[std::chrono::last])
                           : sys_days(y / month / wanted[static_cast<unsigned>(change.week)]);
  } else if (change.kind == YearlyChange::Kind::kJulian) {
    const bool is_behind = y.is_leap() && change.day >= 60;
    day += days(change.day - 1 + (is_behind ? 1 : 0));
  } else {
    day += days(change.day);
  }
  return day.time_since_epoch().count() * std::int64_t{86'400} + change.seconds;
}

std::int32_t TimeZoneRule::offset_at(std::int64_t seconds) const {
  if (!to_summer_) {
    return standard_;
  }
  const int year = year_of(seconds + standard_);
  const std::int64_t begins = local_seconds(*to_summer_, year) - standard_;
  const std::int64_t ends = local_seconds(to_standard_, year) - summer_;
  const bool is_summer =
      begins < ends ? seconds >= begins && seconds < ends : seconds >= begins || seconds < ends;
  return is_summer ? summer_ : standard_;
}

}  // namespace millrace
