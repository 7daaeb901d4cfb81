// What is known of a file, in words.
#pragma once

#include <string>

#include "client/dfs/file_system.h"

namespace millrace {

// "-rw-r--r--  3 flume hadoop  1234  2026-12-01T10:00:00.000Z  /a/b"
std::string status_line(const dfs::FileStatus& status);
// "drwxr-xr-x"
std::string permission_text(const dfs::FileStatus& status);

}  // namespace millrace
