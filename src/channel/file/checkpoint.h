// What a channel knew at one instant, so that a start need not read the whole log.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "channel/file/event_ranges.h"
#include "channel/file/format.h"
#include "channel/file/intents.h"
#include "io/file_system.h"

namespace millrace::file_channel {

// A segment that held events when the checkpoint was made.
struct CheckpointSegment {
  std::uint64_t slot = 0;  // Of its name.
  std::uint64_t order = 0;
  std::uint64_t generation = 0;
  EventRange numbers;
  std::uint64_t end = 0;
};

// A data dir: what lies at or behind its position has to be read at a start.
struct CheckpointDir {
  Id directory;
  std::uint64_t order = 0;                  // Of the segment.
  std::uint64_t offset = 0;                 // In it.
  std::vector<CheckpointSegment> segments;  // In their order.
};

struct Checkpoint {
  Id channel;
  EventNumber next = 0;               // The first number not given yet.
  std::uint64_t dropped = 0;          // Events that left undelivered, since the channel was made.
  std::uint64_t void_numbers = 0;     // Numbers whose put did not succeed.
  std::vector<EventRange> live;       // Durable in the log, and not acknowledged.
  std::vector<EventRange> in_flight;  // Given to a put that was not durable yet.
  std::vector<CheckpointDir> dirs;
  Intents intents;  // Those whose events are not among `live`.
};

// What it says of a dir; null when nothing.
const CheckpointDir* part_of(const Checkpoint& checkpoint, const Id& directory);

std::string encode_checkpoint(const Checkpoint& checkpoint);
// kCorrupt for anything but a whole checkpoint; kConfig for one of a later version.
Result<Checkpoint> decode_checkpoint(std::string_view bytes);

}  // namespace millrace::file_channel
