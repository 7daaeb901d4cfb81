#include "cli/completion/completion_scripts.h"

namespace millrace {

std::string step_patterns(const CommandDescription& program, std::string_view between) {
  std::string patterns;
  for_each_command(program, [&](const CommandDescription& command) {
    for (const CommandDescription& below : command.commands) {
      patterns += patterns.empty() ? std::string_view() : between;
      patterns += shell_quoted(command.name + " " + below.last_name());
    }
  });
  return patterns;
}

std::string shell_quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return quoted + "'";
}

}  // namespace millrace
