// Commands of several words: `millrace channel show`.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "cli/cli.h"
#include "cli/description.h"

namespace millrace {

// What each of them says of itself, in their order; those without a summary are left out.
std::vector<CommandDescription> describe_commands(std::span<const Command> commands);

// Runs the command of `commands` that the line's first argument names; the rest of the line is its
// own. Without one, or with --help, prints what there is; 2 for a name that is none of them.
int run_subcommand(std::string_view parent, std::string_view about,
                   std::span<const Command> commands, const CommandLine& line);

}  // namespace millrace
