// The one message format of its own that a syslog source may have: the keys `format.*`.
#pragma once

#include <optional>
#include <regex>
#include <string>
#include <string_view>

#include "base/result.h"
#include "source/syslog/date_pattern.h"
#include "source/syslog/syslog_parser.h"

namespace millrace {

struct CustomFormatOptions {
  std::string regex;  // Groups: 1 priority, 2 version, 3 time, 4 host, 5 message.
  std::string search;
  std::string replace;
  std::string date_format;
};

// Threads: any, it never changes.
class CustomFormat {
 public:
  // A matching line takes time by its length, and stack: longer ones are not tried.
  static constexpr std::size_t kLongestLine = 4096;

  // kConfig, saying why, for a regular expression or date pattern that is none.
  static Result<CustomFormat> compile(const CustomFormatOptions& options);

  // Fills in `message` when the whole line matches; its priority was read before.
  bool match(std::string_view line, SyslogTime& time, SyslogMessage& message) const;

 private:
  std::optional<std::int64_t> read_time(std::string text, SyslogTime& time) const;

  std::regex regex_;
  std::optional<std::regex> search_;
  std::string replace_;
  std::optional<DatePattern> date_pattern_;
};

}  // namespace millrace
