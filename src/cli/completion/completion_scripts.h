// Completion scripts for shells, made of what the commands say of themselves.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/description.h"

namespace millrace {

// Each completes commands, options, the values of those that are one of a few words, and otherwise
// the names of files.
std::string bash_completion(const CommandDescription& program);
std::string zsh_completion(const CommandDescription& program);
std::string fish_completion(const CommandDescription& program);

// What the three are written with.

// Cases of a shell's pattern matching, joined by `between`, for the steps from a command to one
// below it: ' channel', 'channel show'.
std::string step_patterns(const CommandDescription& program, std::string_view between);

// `text` in single quotes, which a quote in it ends and opens again as POSIX shells have it.
std::string shell_quoted(std::string_view text);

}  // namespace millrace
