#include "base/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <iterator>
#include <string>

namespace millrace {
namespace {

spdlog::level::level_enum spdlog_level(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return spdlog::level::debug;
    case LogLevel::kInfo:
      return spdlog::level::info;
    case LogLevel::kWarning:
      return spdlog::level::warn;
    case LogLevel::kError:
      return spdlog::level::err;
    case LogLevel::kOff:
      return spdlog::level::off;
  }
  return spdlog::level::info;
}

spdlog::logger& logger() {
  static const auto instance = [] {
    auto made = std::make_shared<spdlog::logger>("millrace",
                                                 std::make_shared<spdlog::sinks::stderr_sink_mt>());
    made->set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %l %v");
    made->flush_on(spdlog::level::info);
    return made;
  }();
  return *instance;
}

bool is_control(char c) {
  return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F;
}

// What comes from outside, a command's stderr or a name in a file, neither steers the reader's
// terminal nor passes for a line of ours.
std::string with_controls_escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (is_control(c)) {
      fmt::format_to(std::back_inserter(escaped), "\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      escaped += c;
    }
  }
  return escaped;
}

}  // namespace

void set_log_level(LogLevel level) {
  logger().set_level(spdlog_level(level));
}

bool log_enabled(LogLevel level) {
  return logger().should_log(spdlog_level(level));
}

void log_line(LogLevel level, std::string_view component, std::string_view message) {
  if (std::any_of(message.begin(), message.end(), is_control)) {
    logger().log(spdlog_level(level), "[{}] {}", component, with_controls_escaped(message));
  } else {
    logger().log(spdlog_level(level), "[{}] {}", component, message);
  }
}

}  // namespace millrace
