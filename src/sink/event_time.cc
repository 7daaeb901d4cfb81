#include "sink/event_time.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <iterator>
#include <string_view>

namespace millrace {
namespace {

constexpr std::int64_t kMinute = 60;
constexpr std::int64_t kHour = 3600;
constexpr std::int64_t kDay = 86'400;

constexpr std::array<std::string_view, 7> kDays{"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                "Thursday", "Friday", "Saturday"};
constexpr std::array<std::string_view, 12> kMonths{"January",   "February", "March",    "April",
                                                   "May",       "June",     "July",     "August",
                                                   "September", "October",  "November", "December"};

std::int64_t floor_to(std::int64_t value, std::int64_t step) {
  const std::int64_t rest = value % step;
  return value - (rest < 0 ? rest + step : rest);
}

unsigned twelve(unsigned hour) {
  return hour % 12 == 0 ? 12 : hour % 12;
}

// Month names, days and years.
bool append_date(std::string& out, char letter, const LocalTime& t) {
  auto to = std::back_inserter(out);
  switch (letter) {
    case 'a':
      out += kDays.at(t.weekday).substr(0, 3);
      return true;
    case 'A':
      out += kDays.at(t.weekday);
      return true;
    case 'b':
      out += kMonths.at(t.month - 1).substr(0, 3);
      return true;
    case 'B':
      out += kMonths.at(t.month - 1);
      return true;
    case 'd':
      fmt::format_to(to, "{:02}", t.day);
      return true;
    case 'D':
      fmt::format_to(to, "{:02}/{:02}/{:02}", t.month, t.day, t.year % 100);
      return true;
    case 'e':
      fmt::format_to(to, "{}", t.day);
      return true;
    case 'j':
      fmt::format_to(to, "{:03}", t.day_of_year);
      return true;
    case 'm':
      fmt::format_to(to, "{:02}", t.month);
      return true;
    case 'n':
      fmt::format_to(to, "{}", t.month);
      return true;
    case 'y':
      fmt::format_to(to, "{:02}", t.year % 100);
      return true;
    case 'Y':
      fmt::format_to(to, "{:04}", t.year);
      return true;
    default:
      return false;
  }
}

void append_hours(std::string& out, char letter, const LocalTime& t) {
  auto to = std::back_inserter(out);
  switch (letter) {
    case 'c':
      fmt::format_to(to, "{} {} {} {:02}:{:02}:{:02} {:04}", kDays.at(t.weekday).substr(0, 3),
                     kMonths.at(t.month - 1).substr(0, 3), t.day, t.hour, t.minute, t.second,
                     t.year);
      return;
    case 'H':
      fmt::format_to(to, "{:02}", t.hour);
      return;
    case 'I':
      fmt::format_to(to, "{:02}", twelve(t.hour));
      return;
    case 'k':
      fmt::format_to(to, "{}", t.hour);
      return;
    case 'l':
      fmt::format_to(to, "{}", twelve(t.hour));
      return;
    case 'M':
      fmt::format_to(to, "{:02}", t.minute);
      return;
    case 'p':
      out += t.hour < 12 ? "AM" : "PM";
      return;
    case 's':
      fmt::format_to(to, "{}", t.seconds);
      return;
    case 'S':
      fmt::format_to(to, "{:02}", t.second);
      return;
    case 'z': {
      const int minutes = (t.offset < 0 ? -t.offset : t.offset) / 60;
      fmt::format_to(to, "{}{:02}{:02}", t.offset < 0 ? '-' : '+', minutes / 60, minutes % 60);
      return;
    }
    default:
      return;
  }
}

}  // namespace

std::int64_t EventTimeRules::round(std::int64_t seconds) const {
  if (unit == RoundUnit::kNone) {
    return seconds;
  }
  const std::int64_t local = seconds + zone.offset_at(seconds);
  const std::int64_t span = unit == RoundUnit::kSecond   ? kMinute
                            : unit == RoundUnit::kMinute ? kHour
                                                         : kDay;
  const std::int64_t step = value * (unit == RoundUnit::kSecond   ? 1
                                     : unit == RoundUnit::kMinute ? kMinute
                                                                  : kHour);
  const std::int64_t begin = floor_to(local, span);
  const std::int64_t rounded = begin + floor_to(local - begin, step);
  return rounded == local ? seconds : zone.seconds_of(rounded);
}

LocalTime local_time(const TimeZone& zone, std::int64_t seconds) {
  using std::chrono::days;
  LocalTime time;
  time.seconds = seconds;
  time.offset = zone.offset_at(seconds);
  const std::int64_t local = seconds + time.offset;
  const std::chrono::sys_days day{days(floor_to(local, kDay) / kDay)};
  const std::chrono::year_month_day date(day);
  time.year = static_cast<int>(date.year());
  time.month = static_cast<unsigned>(date.month());
  time.day = static_cast<unsigned>(date.day());
  const std::chrono::sys_days first = date.year() / std::chrono::January / 1;
  time.day_of_year = static_cast<unsigned>((day - first).count()) + 1;
  time.weekday = std::chrono::weekday(day).c_encoding();
  const auto in_day = static_cast<unsigned>(local - floor_to(local, kDay));
  time.hour = in_day / 3600;
  time.minute = in_day / 60 % 60;
  time.second = in_day % 60;
  return time;
}

bool is_time_letter(char letter) {
  return std::string_view("aAbBcdDeHIjklmMnpsSyYz").find(letter) != std::string_view::npos;
}

bool shows_seconds(char letter) {
  return std::string_view("csS").find(letter) != std::string_view::npos;
}

void append_time(std::string& out, char letter, const LocalTime& time) {
  if (!append_date(out, letter, time)) {
    append_hours(out, letter, time);
  }
}

}  // namespace millrace
