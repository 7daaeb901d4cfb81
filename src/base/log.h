// The logging facade: one line an occurrence, level and component first, to stderr or to a file.
// No log per event. Threads: any.
#pragma once

#include <fmt/core.h>

#include <string_view>
#include <utility>

namespace millrace {

enum class LogLevel { kDebug, kInfo, kWarning, kError, kOff };

// Lines below `level` are dropped. Until this is called lines of kInfo and above go to stderr.
void set_log_level(LogLevel level);
bool log_enabled(LogLevel level);

// One line. `component` is the name an operator knows: "source r1", "channel c1", "config".
void log_line(LogLevel level, std::string_view component, std::string_view message);

template <class... Args>
void log_info(std::string_view component, fmt::format_string<Args...> text, Args&&... args) {
  log_line(LogLevel::kInfo, component, fmt::format(text, std::forward<Args>(args)...));
}
template <class... Args>
void log_warning(std::string_view component, fmt::format_string<Args...> text, Args&&... args) {
  log_line(LogLevel::kWarning, component, fmt::format(text, std::forward<Args>(args)...));
}
template <class... Args>
void log_error(std::string_view component, fmt::format_string<Args...> text, Args&&... args) {
  log_line(LogLevel::kError, component, fmt::format(text, std::forward<Args>(args)...));
}
template <class... Args>
void log_debug(std::string_view component, fmt::format_string<Args...> text, Args&&... args) {
  if (log_enabled(LogLevel::kDebug)) {
    log_line(LogLevel::kDebug, component, fmt::format(text, std::forward<Args>(args)...));
  }
}

}  // namespace millrace
