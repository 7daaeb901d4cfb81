// Syslog messages, as pure functions over bytes. Two rule sets, because Flume has two: `syslogtcp`
// and `syslogudp` match patterns, `multiport_syslogtcp` goes by positions, and they differ in what
// they take for bad (Flume 1.11, classes SyslogUtils and SyslogParser; RFC 3164, RFC 5424).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "source/syslog/syslog_time.h"

namespace millrace {

enum class SyslogForm {
  kWhole,      // Head and message were understood.
  kPriority,   // Only the priority was: the body is the whole line.
  kMalformed,  // Not even that.
};

// What a line says. Views borrow from the line.
struct SyslogMessage {
  SyslogForm form = SyslogForm::kMalformed;
  int priority = 0;  // facility * 8 + severity.
  std::string_view priority_text;
  std::string_view version;         // Empty when there is none.
  std::string_view timestamp_text;  // As received; "-" for none.
  std::optional<std::int64_t> timestamp_ms;
  std::string_view host_text;  // Likewise.
  bool has_host = false;
  bool depends_on_now = false;  // The same bytes may give another time in another turn.
  std::string_view text;        // The message behind the head.
  // Bytes of the line up to `text`. Two lines that agree in these say the same, unless one of them
  // ends there or in a carriage return. 0 when nothing can be said of other lines.
  std::size_t head_size = 0;
};

// The rules of `syslogtcp`: "<" 1 to 3 digits ">" or malformed; then one of
//   [digit][blank] yyyy-MM-ddTHH:mm:ss[.1-6 digits][Z|+hh:mm|-hh:mm] or "-", blank, host or "-",
//   blank, message
//   [digit][blank] Mmm d HH:mm:ss, blank, host, blank, message
// or kPriority. A line that ends in a carriage return matches neither, as in Flume, where a dot
// does not match one. Fractions count as that many milliseconds, cut to three digits.
SyslogMessage parse_by_pattern(std::string_view line, SyslogTime& time);

// "<" 1 to `most_digits` digits ">" at the front of `line`; false when it does not begin so.
bool scan_priority(std::string_view line, std::size_t most_digits, SyslogMessage& message);

// The rules of `multiport_syslogtcp`: "<" 1 to 5 digits ">", ["1 "], a time as above (any number of
// digits in the fraction, scaled; "-" is now), one blank, host, blank, message; else malformed. A
// RFC 3164 time that is none counts as 0.
SyslogMessage parse_by_position(std::string_view line, SyslogTime& time);

}  // namespace millrace
