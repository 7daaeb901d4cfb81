// Flume's File Channel Integrity Tool, for our format.
#pragma once

#include "cli/cli.h"

namespace millrace {

int run_fcintegritytool(const CommandLine& line);

}  // namespace millrace
