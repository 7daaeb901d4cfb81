#include "cli/description.h"

namespace millrace {

void for_each_command(const CommandDescription& command,
                      const std::function<void(const CommandDescription&)>& visit) {
  visit(command);
  for (const CommandDescription& below : command.commands) {
    for_each_command(below, visit);
  }
}

}  // namespace millrace
