// The commands of `millrace fs`, each in the file of its name.
#pragma once

#include "cli/cli.h"

namespace millrace {

int run_fs_ls(const CommandLine& line);
int run_fs_cat(const CommandLine& line);
int run_fs_text(const CommandLine& line);
int run_fs_put(const CommandLine& line);
int run_fs_stat(const CommandLine& line);
int run_fs_truncate(const CommandLine& line);
int run_fs_recover_lease(const CommandLine& line);

}  // namespace millrace
