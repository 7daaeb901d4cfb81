#include "source/syslog/syslog_time.h"

#include <algorithm>
#include <ctime>

#include "source/syslog/ascii.h"

namespace millrace {
namespace {

constexpr std::int64_t kDayMs = 86'400'000;
constexpr std::size_t kIsoLength = 19;

int number(std::string_view text, std::size_t at, std::size_t count) {
  return static_cast<int>(number_of(text.substr(at), count));
}

// "HH:mm:ss" at `at` of `text`, into `time`.
bool scan_clock(std::string_view text, std::size_t at, CivilTime& time) {
  if (text.size() < at + 8 || text[at + 2] != ':' || text[at + 5] != ':' ||
      !are_digits(text, at, 2) || !are_digits(text, at + 3, 2) || !are_digits(text, at + 6, 2)) {
    return false;
  }
  time.hour = number(text, at, 2);
  time.minute = number(text, at + 3, 2);
  time.second = number(text, at + 6, 2);
  return true;
}

// Days since 1970-01-01 of a date of the proleptic Gregorian calendar. Eras of 400 years and years
// that begin in March make the leap day the last of its year.
std::int64_t days_since_epoch(std::int64_t year, int month, int day) {
  year -= month <= 2 ? 1 : 0;
  const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
  const std::int64_t year_of_era = year - era * 400;
  const int month_from_march = (month + 9) % 12;
  const std::int64_t day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
  const std::int64_t day_of_era =
      year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146'097 + day_of_era - 719'468;
}

int year_of(std::int64_t epoch_ms) {
  const std::time_t seconds = epoch_ms / 1000;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  return parts.tm_year + 1900;
}

int days_in_month(int year, int month) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return month == 2 && leap ? 29 : kDays[month - 1];
}

// `months` later, at the last day of a month that is too short, as Java's Calendar.add().
CivilTime months_later(CivilTime time, int months) {
  const int month = time.month - 1 + months;
  time.year += (month >= 0 ? month : month - 11) / 12;
  time.month = (month % 12 + 12) % 12 + 1;
  time.day = std::min(time.day, days_in_month(time.year, time.month));
  return time;
}

// Its hour as one number.
std::uint64_t hour_key(const CivilTime& time) {
  std::uint64_t key = static_cast<std::uint64_t>(time.year);
  for (const int part : {time.month, time.day, time.hour}) {
    key = key << 8 | static_cast<std::uint64_t>(part);
  }
  return key;
}

}  // namespace

std::int64_t utc_seconds(const CivilTime& time) {
  const int month = time.month - 1;
  const int years = (month >= 0 ? month : month - 11) / 12;
  const std::int64_t days =
      days_since_epoch(time.year + years, month - years * 12 + 1, 1) + time.day - 1;
  return ((days * 24 + time.hour) * 60 + time.minute) * 60 + time.second;
}

void SyslogTime::set_now(std::int64_t epoch_ms) {
  if (epoch_ms / kDayMs != now_ms_ / kDayMs) {
    year_ = year_of(epoch_ms);
    rfc3164_key_ = hour_.key = ~std::uint64_t{0};
  }
  now_ms_ = epoch_ms;
}

std::int64_t SyslogTime::convert(const CivilTime& time) const {
  if (zone_ == SyslogZone::kUtc) {
    return utc_seconds(time);
  }
  std::tm parts{};
  parts.tm_year = time.year - 1900;
  parts.tm_mon = time.month - 1;
  parts.tm_mday = time.day;
  parts.tm_hour = time.hour;
  parts.tm_min = time.minute;
  parts.tm_sec = time.second;
  parts.tm_isdst = -1;
  return std::mktime(&parts);
}

// mktime() takes microseconds; it is asked about an hour's start and the next one's.
std::int64_t SyslogTime::seconds(const CivilTime& time) {
  if (zone_ == SyslogZone::kUtc) {
    return utc_seconds(time);
  }
  const std::uint64_t key = hour_key(time);
  if (hour_.key != key) {
    const CivilTime start{time.year, time.month, time.day, time.hour, 0, 0};
    CivilTime end = start;
    ++end.hour;
    const std::int64_t seconds = convert(start);
    if (convert(end) != seconds + 3600) {
      return convert(time);
    }
    hour_ = {key, seconds};
  }
  return hour_.seconds + time.minute * 60 + time.second;
}

int SyslogTime::nearest_year(CivilTime time) const {
  time.year = year_;
  const std::int64_t now = now_ms_ / 1000;
  if (convert(time) > now && convert(months_later(time, -1)) > now) {
    return year_ - 1;
  }
  return convert(months_later(time, 11)) < now ? year_ + 1 : year_;
}

std::int64_t SyslogTime::rfc3164_ms(CivilTime time) {
  time.year = 0;
  const std::uint64_t key = hour_key(time);
  if (rfc3164_key_ != key) {
    rfc3164_key_ = key;
    rfc3164_year_ = nearest_year(time);
  }
  time.year = rfc3164_year_;
  return seconds(time) * 1000;
}

int month_of_name(std::string_view name) {
  constexpr std::string_view kNames = "JanFebMarAprMayJunJulAugSepOctNovDec";
  for (std::size_t at = 0; name.size() == 3 && at < kNames.size(); at += 3) {
    if (kNames.substr(at, 3) == name) {
      return static_cast<int>(at / 3) + 1;
    }
  }
  return 0;
}

std::optional<CivilTime> scan_rfc3164(std::string_view text, std::size_t& length) {
  const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
  if (text.size() < 14 || text[0] < 'A' || text[0] > 'Z' || !is_lower(text[1]) ||
      !is_lower(text[2]) || !is_blank(text[3])) {
    return std::nullopt;
  }
  std::size_t at = is_blank(text[4]) ? 5 : 4;
  const std::size_t digits = are_digits(text, at, 2) ? 2 : 1;
  if (!are_digits(text, at, digits) || at + digits >= text.size() || !is_blank(text[at + digits])) {
    return std::nullopt;
  }
  CivilTime time{0, month_of_name(text.substr(0, 3)), number(text, at, digits), 0, 0, 0};
  at += digits + 1;
  if (!scan_clock(text, at, time)) {
    return std::nullopt;
  }
  length = at + 8;
  return time;
}

std::optional<CivilTime> scan_iso_seconds(std::string_view text) {
  CivilTime time{};
  if (text.size() < kIsoLength || text[4] != '-' || text[7] != '-' || text[10] != 'T' ||
      !are_digits(text, 0, 4) || !are_digits(text, 5, 2) || !are_digits(text, 8, 2) ||
      !scan_clock(text, 11, time)) {
    return std::nullopt;
  }
  time.year = number(text, 0, 4);
  time.month = number(text, 5, 2);
  time.day = number(text, 8, 2);
  return time;
}

std::optional<int> scan_offset(std::string_view text, std::size_t& length) {
  if (text.starts_with('Z')) {
    length = 1;
    return 0;
  }
  if (text.size() < 6 || (text[0] != '+' && text[0] != '-') || text[3] != ':' ||
      !are_digits(text, 1, 2) || !are_digits(text, 4, 2)) {
    return std::nullopt;
  }
  length = 6;
  const int seconds = number(text, 1, 2) * 3600 + number(text, 4, 2) * 60;
  return text[0] == '-' ? -seconds : seconds;
}

}  // namespace millrace
