// Who has a file open: for programs whose locks cannot be asked for.
#pragma once

#include <filesystem>
#include <optional>

namespace millrace {

// A process other than ours that has `path` open, as /proc tells: root sees all processes of the
// machine, others those of their own user.
std::optional<int> process_with_open(const std::filesystem::path& path);

}  // namespace millrace
