// Times as syslog messages give them, in epoch milliseconds.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace millrace {

// Fields as received. One out of range counts on, as Java's lenient calendar does: month 13 is
// January of the next year.
struct CivilTime {
  int year;
  int month;  // From 1.
  int day;
  int hour;
  int minute;
  int second;
};

// Seconds since 1970-01-01T00:00Z of a time in UTC.
std::int64_t utc_seconds(const CivilTime& time);

enum class SyslogZone { kUtc, kLocal };  // Of times that name none; local is the agent's (TZ).

// Turns received times into epoch milliseconds. What costs is remembered: a conversion from local
// time, and the year of a RFC 3164 time. Threads: its owner's alone.
class SyslogTime {
 public:
  explicit SyslogTime(SyslogZone zone) : zone_(zone) {}

  // Once a read: what "now" is until the next call.
  void set_now(std::int64_t epoch_ms);
  std::int64_t now_ms() const { return now_ms_; }

  std::int64_t seconds(const CivilTime& time);
  // `time` has no year: it gets the one that puts it between 11 months ago and a month ahead, to
  // the hour.
  std::int64_t rfc3164_ms(CivilTime time);

 private:
  // The start of an hour whose seconds follow each other without a jump.
  struct Hour {
    std::uint64_t key = ~std::uint64_t{0};
    std::int64_t seconds = 0;
  };
  std::int64_t convert(const CivilTime& time) const;
  int nearest_year(CivilTime time) const;

  const SyslogZone zone_;
  std::int64_t now_ms_ = 0;
  int year_ = 1970;  // Of now, in UTC.
  Hour hour_;
  std::uint64_t rfc3164_key_ = ~std::uint64_t{0};  // An hour without a year, and the one it got.
  int rfc3164_year_ = 1970;
};

// "Mmm d HH:mm:ss" at the front of `text`, one or two blanks before the day; how long it is goes to
// `length`. The time's month is 0 when its name is none of the English twelve. Nothing when the
// text has another form (regular expression of Flume 1.11, class SyslogUtils).
std::optional<CivilTime> scan_rfc3164(std::string_view text, std::size_t& length);

// The twelve, as "Jan"; 0 for anything else.
int month_of_name(std::string_view name);

// "yyyy-MM-ddTHH:mm:ss" at the front of `text`.
std::optional<CivilTime> scan_iso_seconds(std::string_view text);

// "+hh:mm", "-hh:mm" or "Z" at the front of `text`: seconds east of UTC.
std::optional<int> scan_offset(std::string_view text, std::size_t& length);

}  // namespace millrace
