// Flume's checkpoint of a file channel: its queue at one instant, and the transactions under way.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "channel/flume_log/record.h"
#include "io/file_system.h"

namespace millrace::flume_log {

// By transaction, in the order in which they were written.
using Inflight = std::map<std::int64_t, std::vector<Pointer>>;

struct FlumeCheckpoint {
  std::int64_t order = 0;  // Records of a lower write order are in it.
  std::vector<Pointer> queue;
  Inflight puts;
  Inflight takes;  // Out of the queue.
};

struct CheckpointReading {
  std::optional<FlumeCheckpoint> checkpoint;
  std::string why_not;  // There is none: missing, not completed, damaged, of another version.
};

// Reads `checkpoint`, `checkpoint.meta`, `inflightputs` and `inflighttakes` of `dir`: version 3,
// and version 2 that Flume 1.3 and older wrote. An error is the disk's.
Result<CheckpointReading> read_flume_checkpoint(FileSystem& files,
                                                const std::filesystem::path& dir);

// The contents of an in-flight file. kCorrupt when its checksum does not fit.
Result<Inflight> decode_inflight(std::string_view bytes);

}  // namespace millrace::flume_log
