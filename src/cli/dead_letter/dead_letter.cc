// `millrace dead-letter`: what sinks rejected, and a second try for it.
#include <array>

#include "cli/dead_letter/commands.h"
#include "cli/subcommands.h"

namespace millrace {
namespace {

constexpr std::array kCommands{
    Command{"ls", "Count the letters of a folder, by file and by reason.", run_dead_letter_ls},
    Command{"show", "Print letters, or give them as JSON lines.", run_dead_letter_show},
    Command{"replay", "Send the events again, each once.", run_dead_letter_replay},
};

}  // namespace

int run_dead_letter(const CommandLine& line) {
  return run_subcommand("dead-letter",
                        "Events that sinks could not deliver, in a folder (dead-letter.directory).",
                        kCommands, line);
}

}  // namespace millrace
