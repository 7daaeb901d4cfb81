// The commands of `millrace channel`, each in the file of its name.
#pragma once

#include "cli/cli.h"

namespace millrace {

int run_channel_ls(const CommandLine& line);
int run_channel_show(const CommandLine& line);
int run_channel_verify(const CommandLine& line);
int run_channel_export(const CommandLine& line);
int run_channel_replay(const CommandLine& line);
int run_channel_import(const CommandLine& line);
int run_channel_forget(const CommandLine& line);

}  // namespace millrace
