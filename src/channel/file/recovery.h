// Finds out at a start what is in the channel.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "channel/file/checkpoint.h"
#include "channel/file/identity.h"
#include "channel/file/keyring.h"
#include "channel/file/log_writer.h"
#include "channel/file/options.h"
#include "channel/file/reckoning.h"
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
  Reckoning events;
  bool used_checkpoint = false;
  std::vector<RecoveredDir> dirs;
};

// With the first of the checkpoints that fits the log only the records that were written after it
// are looked at; without one the headers of all. Bytes that are damaged are set aside. kTransient
// when the disk fails, kConfig for files of another channel or of a later version, and when the key
// of a segment that is needed is not there.
Result<Recovered> recover(FileSystem& files, const Options& options, const Identity& identity,
                          const Keyring& keys, const std::vector<Checkpoint>& checkpoints);

// For the writer of data dir `i` as it was recovered. The next group goes to a new segment, whose
// header says where the records of the last one end.
LogOptions log_options(const Options& options, const Identity& identity, std::size_t i,
                       const RecoveredDir& dir);

}  // namespace millrace::file_channel
