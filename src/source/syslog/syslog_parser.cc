#include "source/syslog/syslog_parser.h"

#include <algorithm>

#include "source/syslog/ascii.h"

namespace millrace {
namespace {

constexpr std::size_t kIsoSeconds = 19;  // Length of yyyy-MM-ddTHH:mm:ss.

// A RFC 5424 time or "-" at the front of `text`, by the pattern; its length, or 0.
std::size_t scan_pattern_time(std::string_view text, SyslogTime& time, SyslogMessage& message) {
  if (text.starts_with('-')) {
    return 1;
  }
  const auto civil = scan_iso_seconds(text);
  if (!civil) {
    return 0;
  }
  std::size_t length = kIsoSeconds;
  std::int64_t ms = 0;
  if (text.size() > length + 1 && text[length] == '.' && is_digit(text[length + 1])) {
    const std::size_t digits = count_digits(text.substr(length + 1));
    if (digits > 6) {
      return 0;
    }
    ms = number_of(text.substr(length + 1), std::min<std::size_t>(digits, 3));
    length += 1 + digits;
  }
  std::size_t offset_length = 0;
  const auto offset = scan_offset(text.substr(length), offset_length);
  const std::int64_t seconds = offset ? utc_seconds(*civil) - *offset : time.seconds(*civil);
  message.timestamp_ms = seconds * 1000 + ms;
  return length + offset_length;
}

// "Mmm d HH:mm:ss" at the front of `text`; its length, or 0.
std::size_t scan_old_time(std::string_view text, SyslogTime& time, SyslogMessage& message) {
  std::size_t length = 0;
  const auto civil = scan_rfc3164(text, length);
  if (!civil) {
    return 0;
  }
  if (civil->month != 0) {
    message.timestamp_ms = time.rfc3164_ms(*civil);
  }
  return length;
}

// Blank, host or (where that is allowed) "-", blank from `at` on; false when it is not so.
bool scan_pattern_host(std::string_view line, std::size_t at, bool dash_allowed,
                       SyslogMessage& message) {
  if (at >= line.size() || !is_blank(line[at])) {
    return false;
  }
  const std::size_t start = ++at;
  if (at < line.size() && is_word(line[at])) {
    const auto in_name = [](char c) { return is_word(c) || c == '.' || c == '@' || c == '-'; };
    while (at < line.size() && in_name(line[at])) {
      ++at;
    }
    message.has_host = true;
  } else if (dash_allowed && at < line.size() && line[at] == '-') {
    ++at;
  } else {
    return false;
  }
  message.host_text = line.substr(start, at - start);
  message.head_size = at + 1;
  return at < line.size() && is_blank(line[at]);
}

// What stands between priority and host, when `version` of its characters are taken for one.
bool scan_pattern_head(std::string_view line, std::size_t version, SyslogTime& time,
                       SyslogMessage& message) {
  std::size_t at = message.head_size;
  message.version = line.substr(at, version);
  at += version;
  if (at < line.size() && is_blank(line[at])) {
    ++at;
  }
  const std::string_view rest = line.substr(at);
  std::size_t length = scan_pattern_time(rest, time, message);
  const bool dash_allowed = length > 0;
  if (length == 0) {
    length = scan_old_time(rest, time, message);
  }
  message.timestamp_text = rest.substr(0, length);
  return length > 0 && scan_pattern_host(line, at + length, dash_allowed, message);
}

// A RFC 5424 time, all of `text`; false when it is none. Trailing characters are let pass, as Flume
// does.
bool scan_position_time(std::string_view text, SyslogTime& time, SyslogMessage& message) {
  const auto civil = scan_iso_seconds(text);
  if (!civil || civil->month < 1 || civil->month > 12 || civil->day < 1 || civil->day > 31 ||
      civil->hour > 23 || civil->minute > 59 || civil->second > 59) {
    return false;
  }
  text.remove_prefix(kIsoSeconds);
  std::int64_t ms = 0;
  if (text.starts_with('.')) {
    const std::size_t digits = count_digits(text.substr(1));
    if (digits == 0) {
      return false;
    }
    ms = number_of(text.substr(1), std::min<std::size_t>(digits, 3));
    for (std::size_t i = digits; i < 3; ++i) {
      ms *= 10;
    }
    text.remove_prefix(1 + digits);
  }
  std::size_t length = 0;
  const auto offset = scan_offset(text, length);
  if (!offset && (text.starts_with('+') || text.starts_with('-'))) {
    return false;
  }
  message.timestamp_ms =
      (offset ? utc_seconds(*civil) - *offset : time.seconds(*civil)) * 1000 + ms;
  return true;
}

// A time of any form at `at`; where the host begins, or 0 when the line is malformed.
std::size_t scan_any_time(std::string_view line, std::size_t at, SyslogTime& time,
                          SyslogMessage& message) {
  constexpr std::size_t kOldTime = 15;
  const std::string_view rest = line.substr(at);
  if (rest[0] == '-') {
    message.timestamp_text = rest.substr(0, 1);
    message.timestamp_ms = time.now_ms();
    message.depends_on_now = true;
    return at + 2;
  }
  if (rest[0] >= 'A' && rest[0] <= 'Z') {
    message.timestamp_text = rest.substr(0, kOldTime);
    std::size_t length = 0;
    const auto civil = scan_rfc3164(message.timestamp_text, length);
    const bool good = civil && civil->month != 0 && civil->day > 0 && civil->day < 32 &&
                      civil->hour < 24 && civil->minute < 60 && civil->second < 60 &&
                      length == message.timestamp_text.size();
    message.timestamp_ms = good ? time.rfc3164_ms(*civil) : 0;
    return at + kOldTime + 1;
  }
  message.timestamp_text = rest.substr(0, rest.find(' '));
  return scan_position_time(message.timestamp_text, time, message)
             ? at + message.timestamp_text.size() + 1
             : 0;
}

SyslogMessage malformed() {
  return {};
}

}  // namespace

bool scan_priority(std::string_view line, std::size_t most_digits, SyslogMessage& message) {
  if (!line.starts_with('<')) {
    return false;
  }
  std::size_t at = 1;
  int value = 0;
  while (at < line.size() && at <= most_digits && is_digit(line[at])) {
    value = value * 10 + (line[at++] - '0');
  }
  if (at == 1 || at == line.size() || line[at] != '>') {
    return false;
  }
  message.priority = value;
  message.priority_text = line.substr(1, at - 1);
  message.head_size = at + 1;
  return true;
}

SyslogMessage parse_by_pattern(std::string_view line, SyslogTime& time) {
  SyslogMessage priority;
  if (!scan_priority(line, 3, priority)) {
    return malformed();
  }
  const std::size_t behind = priority.head_size;
  const bool digit = behind < line.size() && is_digit(line[behind]);
  if (!line.ends_with('\r')) {
    // A digit may be the version or begin the year: the time's fixed form leaves one of them.
    for (int version = digit ? 1 : 0; version >= 0; --version) {
      SyslogMessage message = priority;
      if (scan_pattern_head(line, static_cast<std::size_t>(version), time, message)) {
        message.form = SyslogForm::kWhole;
        message.text = line.substr(message.head_size);
        return message;
      }
    }
  }
  priority.form = SyslogForm::kPriority;
  return priority;
}

SyslogMessage parse_by_position(std::string_view line, SyslogTime& time) {
  SyslogMessage message;
  if (!scan_priority(line, 5, message) || message.head_size == line.size()) {
    return malformed();
  }
  std::size_t at = message.head_size;
  if (line.size() > at + 2 && line[at] == '1' && line[at + 1] == ' ') {
    message.version = line.substr(at, 1);
    at += 2;
  }
  at = scan_any_time(line, at, time, message);
  const std::size_t host_end = at == 0 ? std::string_view::npos : line.find(' ', at);
  if (host_end == std::string_view::npos) {
    return malformed();
  }
  message.host_text = line.substr(at, host_end - at);
  message.has_host = true;
  message.head_size = host_end + 1;
  message.text = line.substr(message.head_size);
  message.form = SyslogForm::kWhole;
  return message;
}

}  // namespace millrace
