// What a run of hammer sent, for verify (docs/formats/hammer-report.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace millrace {

// Numbers first..last, both included.
struct Interval {
  std::uint64_t first = 0;
  std::uint64_t last = 0;

  std::uint64_t count() const { return last - first + 1; }
  friend bool operator==(const Interval&, const Interval&) = default;
};

struct FlowReport {
  std::uint32_t hammer = 0;
  std::uint64_t first = 0;
  std::uint64_t next = 0;  // One past the last number that was sent.
  std::uint64_t acknowledged = 0;
  std::uint64_t again = 0;          // Lines sent again.
  std::uint64_t refused = 0;        // FAILED answers.
  std::uint64_t broken = 0;         // Connections lost.
  std::vector<Interval> unsettled;  // Sent, but without an OK, or only in part: may be missing.
};

struct HammerReport {
  std::string run;
  std::string protocol;     // "syslog" or "netcat".
  std::uint64_t bytes = 0;  // Of an event on the wire, without the newline.
  double seconds = 0;
  bool complete = false;  // All that was to be sent is settled.
  std::vector<FlowReport> hammers;
};

std::string to_json(const HammerReport& report);
// kCorrupt, saying what is wrong, for what to_json() cannot have written.
Result<HammerReport> parse_hammer_report(std::string_view json);

Result<> write_hammer_report(const HammerReport& report, const std::filesystem::path& path);
Result<HammerReport> read_hammer_report(const std::filesystem::path& path);

}  // namespace millrace
