// The time of an event as the escapes %Y, %m, %H … write it (Flume 1.11, BucketPath).
#pragma once

#include <cstdint>
#include <string>

#include "io/time_zone.h"

namespace millrace {

enum class RoundUnit { kNone, kSecond, kMinute, kHour };

// Rounds down to a multiple of `value` units by the clocks of a zone: seconds and minutes within
// their minute and hour, hours within their day (Java's Calendar: a time that the clocks skip is
// the one behind).
struct EventTimeRules {
  TimeZone zone;
  RoundUnit unit = RoundUnit::kNone;
  std::int32_t value = 1;

  std::int64_t round(std::int64_t seconds) const;
};

// The parts of a moment by the clocks of a zone.
struct LocalTime {
  std::int64_t seconds = 0;  // Since 1970-01-01T00:00Z.
  std::int32_t offset = 0;   // Seconds ahead of UTC.
  int year = 1970;
  unsigned month = 1;
  unsigned day = 1;
  unsigned day_of_year = 1;
  unsigned weekday = 4;  // 0: Sunday.
  unsigned hour = 0;
  unsigned minute = 0;
  unsigned second = 0;
};
LocalTime local_time(const TimeZone& zone, std::int64_t seconds);

// Whether %LETTER is one of the time; %t, the raw milliseconds, is not.
bool is_time_letter(char letter);
// Whether it may change within a minute.
bool shows_seconds(char letter);
void append_time(std::string& out, char letter, const LocalTime& time);

}  // namespace millrace
