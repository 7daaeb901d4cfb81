// Small files that are replaced as a whole, or not at all.
#pragma once

#include <filesystem>
#include <string_view>

#include "base/result.h"
#include "io/file_system.h"

namespace millrace {

// Writes `bytes` beside `path`, syncs, renames, and syncs the folder: after a power loss the file
// has its old contents or these.
Result<> replace_file(FileSystem& files, const std::filesystem::path& path, std::string_view bytes);

}  // namespace millrace
