// How a command ends that could not do its work.
#pragma once

#include <string_view>

#include "base/result.h"

namespace millrace {

// Prints "millrace COMMAND: …" to stderr; gives the exit status.
int fail(std::string_view command, const Error& error);

}  // namespace millrace
