// Reads times by a pattern of Java's SimpleDateFormat (Java 8 API documentation): the key
// `format.dateFormat` of the syslog sources.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "source/syslog/syslog_time.h"

namespace millrace {

// Knows y M d H k h m s S a E Z X z, quoted text and literals; names of months and days are
// English, zones are GMT, UTC, Z or an offset. As in Java, numbers out of range count on and text
// behind the time is let pass. Threads: any, it never changes.
class DatePattern {
 public:
  // kConfig, naming the letter, for a pattern with another one.
  static Result<DatePattern> compile(std::string_view pattern);

  // Epoch milliseconds; nothing when `text` does not fit. A time without a zone is `time`'s.
  std::optional<std::int64_t> parse(std::string_view text, SyslogTime& time) const;

 private:
  struct Piece {
    char letter;               // 0: a literal.
    std::size_t count;         // Of the letter.
    bool fixed_width = false;  // Another number follows at once.
    std::string literal;
  };
  std::vector<Piece> pieces_;
};

}  // namespace millrace
