// Which events a replay is about: from a number or a put time on, up to another.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "channel/file/event_ranges.h"

namespace millrace {

// Both ends belong to it. An event has to be within its numbers and its times.
struct ReplayRange {
  file_channel::EventNumber first = 0;
  file_channel::EventNumber last = UINT64_MAX - 1;
  std::int64_t from_ms = INT64_MIN;
  std::int64_t to_ms = INT64_MAX;

  bool is_about_time() const { return from_ms != INT64_MIN || to_ms != INT64_MAX; }
  bool holds(file_channel::EventNumber number, std::int64_t time_ms) const {
    return number >= first && number <= last &&
           (!is_about_time() || (time_ms > 0 && time_ms >= from_ms && time_ms <= to_ms));
  }
};

// Texts are a number ("4200"), a time of RFC 3339 or milliseconds since 1970 ("1796061662500ms");
// an empty `to` is the end. kRejected, with what was expected, for anything else.
Result<ReplayRange> parse_range(const std::string& from, const std::string& to);

}  // namespace millrace
