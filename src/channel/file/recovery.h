// Finds out at a start what is in the channel.
#pragma once

#include <deque>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "channel/file/checkpoint.h"
#include "channel/file/event_ranges.h"
#include "channel/file/identity.h"
#include "channel/file/segment.h"
#include "io/file_system.h"

namespace millrace::file_channel {

struct RecoveredDir {
  std::deque<SegmentPtr> segments;  // In their order; all closed.
  std::vector<Spare> spares;
  std::uint64_t last_order = 0;
  std::uint64_t last_slot = 0;
};

struct Recovered {
  EventNumber next = 0;
  EventRanges live;
  std::uint64_t dropped = 0;
  std::uint64_t void_numbers = 0;
  std::vector<RecoveredDir> dirs;
};

// The checkpoint in `dir`; nothing, and why in the log, when there is none or it cannot be used.
Result<std::optional<Checkpoint>> read_checkpoint(FileSystem& files, const std::string& name,
                                                  const std::filesystem::path& dir);

// With a checkpoint only the records that were written after it are looked at; without one, or when
// it does not fit the log, the headers of all. kTransient when the disk fails, kConfig for files of
// another channel or of a later version.
Result<Recovered> recover(FileSystem& files, const std::string& name, const Identity& identity,
                          const std::vector<std::filesystem::path>& dirs,
                          const std::optional<Checkpoint>& checkpoint);

}  // namespace millrace::file_channel
