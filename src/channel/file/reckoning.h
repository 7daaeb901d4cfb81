// From what a checkpoint knew and what the log says, what is in the channel.
#pragma once

#include <cstdint>
#include <optional>

#include "channel/file/checkpoint.h"
#include "channel/file/event_ranges.h"
#include "channel/file/intents.h"

namespace millrace::file_channel {

// What was seen in the records that were gone through.
struct LogReading {
  EventRanges puts;
  EventRanges acks;
  std::uint64_t dropped = 0;  // The highest count of an acknowledgement.
  VoidCount voids{};          // Of the acknowledgement that goes furthest.
  Intents intents{};          // The latest of each sink.
  EventRanges later{};        // Of the puts, those in segments begun after the checkpoint.
};

// As a checkpoint's fields of these names.
struct Reckoning {
  EventNumber next = 0;
  EventRanges live;
  std::uint64_t dropped = 0;
  std::uint64_t void_numbers = 0;
  Intents intents{};
  std::uint64_t lost = 0;  // Events that the checkpoint knew and the log does not hold.
};

// `fits`: the log is the one that the checkpoint speaks of, and was read from its positions on;
// else it was read from the beginning.
Reckoning reckon(const std::optional<Checkpoint>& checkpoint, bool fits, const LogReading& log);

}  // namespace millrace::file_channel
