// The commands of `millrace dead-letter`, each in the file of its name.
#pragma once

#include "cli/cli.h"

namespace millrace {

int run_dead_letter_ls(const CommandLine& line);
int run_dead_letter_show(const CommandLine& line);
int run_dead_letter_replay(const CommandLine& line);

}  // namespace millrace
