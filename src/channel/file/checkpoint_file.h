// The checkpoint's file.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "channel/file/checkpoint.h"
#include "io/file_system.h"

namespace millrace::file_channel {

std::filesystem::path checkpoint_path(const std::filesystem::path& dir);

// The checkpoint in `dir`; nothing, and why in the log under `name`, when there is none or it
// cannot be used. kConfig for one of a later version.
Result<std::optional<Checkpoint>> read_checkpoint(FileSystem& files, const std::string& name,
                                                  const std::filesystem::path& dir);

// Those of all dirs that can be used, the newest first; of equal ones that of the earlier dir.
Result<std::vector<Checkpoint>> read_checkpoints(FileSystem& files, const std::string& name,
                                                 std::span<const std::filesystem::path> dirs);

// Durable when it returns; after an error the old one is there, or this one.
Result<> write_checkpoint(FileSystem& files, const std::filesystem::path& dir,
                          const Checkpoint& checkpoint);

}  // namespace millrace::file_channel
