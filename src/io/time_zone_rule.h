// A time zone as one line has it: "CET-1CEST,M3.5.0,M10.5.0/3" (POSIX, "TZ"; RFC 8536, 3.3.1).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"

namespace millrace {

// A moment of each year, by the clocks before it.
struct YearlyChange {
  enum class Kind { kWeekday, kJulian, kDay } kind = Kind::kDay;
  int month = 0;       // From 1.
  int week = 0;        // From 1; 5: the last.
  int day = 0;         // Of the week, from Sunday; of the year, from 1 and without February 29
                       // (kJulian) or from 0.
  int seconds = 7200;  // From the start of that day.
};

// Seconds are those since 1970-01-01T00:00Z. Threads: any, it never changes.
class TimeZoneRule {
 public:
  // kCorrupt for what is no rule.
  static Result<TimeZoneRule> parse(std::string_view text);

  // Seconds that the zone's clocks are ahead of UTC then.
  std::int32_t offset_at(std::int64_t seconds) const;

 private:
  static std::int64_t local_seconds(const YearlyChange& change, int year);
  static bool take_change(std::string_view& rest, YearlyChange& change);

  std::int32_t standard_ = 0;  // Ahead of UTC.
  std::int32_t summer_ = 0;
  std::optional<YearlyChange> to_summer_;  // Nothing: there is no summer time.
  YearlyChange to_standard_;
};

}  // namespace millrace
