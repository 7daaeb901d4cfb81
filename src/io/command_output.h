// What a short command prints: for secrets and values that another program keeps.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"

namespace millrace {

// Runs the command without a shell, its standard input empty, and gives what it printed.
// kTransient, with what it said on its error output, when it cannot be started, ends with another
// status than 0, prints more than `most_bytes`, or has not ended after `patience`: then it is
// killed. Its output is in no error's text: it may be a secret.
Result<std::string> command_output(const std::vector<std::string>& arguments,
                                   std::chrono::milliseconds patience, std::size_t most_bytes);

}  // namespace millrace
