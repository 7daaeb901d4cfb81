// Local times of a time zone other than the process's own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/file_system.h"
#include "io/time_zone_rule.h"

namespace millrace {

// Seconds are those since 1970-01-01T00:00Z; local seconds are what the zone's clocks show, counted
// likewise. Threads: any, it never changes.
class TimeZone {
 public:
  // The one of the process (the variable TZ, /etc/localtime).
  TimeZone() = default;
  // By the name that Java gives it ("Europe/Berlin", "GMT+5:30"), from the files in `folder`.
  // kConfig when there is none of that name.
  static Result<TimeZone> load(FileSystem& files, const std::filesystem::path& folder,
                               const std::string& id);
  // From the bytes of a file of time zones (RFC 8536). kCorrupt for what is none.
  static Result<TimeZone> parse(std::string_view bytes);

  // Seconds that the zone's clocks are ahead of UTC then.
  std::int32_t offset_at(std::int64_t seconds) const;
  // When the clocks show `local`. A time that they show twice is the later one, one that they skip
  // counts as if they had not (Java's Calendar).
  std::int64_t seconds_of(std::int64_t local) const;

 private:
  struct Change {
    std::int64_t at;
    std::int32_t offset;
  };
  bool is_of_process_ = true;
  std::int32_t first_offset_ = 0;
  std::vector<Change> changes_;
  std::optional<TimeZoneRule> rule_;  // Behind the last change.
};

}  // namespace millrace
