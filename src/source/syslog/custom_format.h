// The one message format of its own that a syslog source may have: the keys `format.*`.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "source/syslog/syslog_parser.h"

namespace millrace {

struct CustomFormatOptions {
  std::string regex;  // Groups: 1 priority, 2 version, 3 time, 4 host, 5 message.
  std::string search;
  std::string replace;
  std::string date_format;
};

// Threads: one at a time, its copies included, which share the space to match in.
class CustomFormat {
 public:
  // kConfig, saying why, for a regular expression, replacement or date pattern that is none.
  static Result<CustomFormat> compile(const CustomFormatOptions& options);

  // Fills in `message` when the whole line matches; its priority was read before. Does not match
  // where the regular expression gives up (see JavaRegex).
  bool match(std::string_view line, SyslogTime& time, SyslogMessage& message) const;

 private:
  struct Compiled;
  std::shared_ptr<Compiled> compiled_;
};

}  // namespace millrace
