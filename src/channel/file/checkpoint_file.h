// The checkpoint's file.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "channel/file/checkpoint.h"
#include "io/file_system.h"

namespace millrace::file_channel {

std::filesystem::path checkpoint_path(const std::filesystem::path& dir);

// What is in a checkpoint dir.
struct FoundCheckpoint {
  std::filesystem::path dir;
  std::optional<Checkpoint> checkpoint;
  WallTime written;         // When the file was.
  bool is_damaged = false;  // There is a file that cannot be read, or is none.
  std::string trouble;      // Why it is not used; empty when it can be.

  bool is_unfit() const { return checkpoint && !trouble.empty(); }  // The log is another.
};

// One for each dir: those that can be used first, the newest of them first; of equal ones that of
// the earlier dir. kConfig for one of a later version.
Result<std::vector<FoundCheckpoint>> find_checkpoints(FileSystem& files,
                                                      std::span<const std::filesystem::path> dirs);

// Those that can be used, in that order. Why others cannot goes to the log under `name`.
Result<std::vector<Checkpoint>> read_checkpoints(FileSystem& files, const std::string& name,
                                                 std::span<const std::filesystem::path> dirs);

// Durable when it returns; after an error the old one is there, or this one.
Result<> write_checkpoint(FileSystem& files, const std::filesystem::path& dir,
                          const Checkpoint& checkpoint);

}  // namespace millrace::file_channel
