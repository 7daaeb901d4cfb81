// From what a checkpoint knew and what the log says, what is in the channel.
#pragma once

#include <cstdint>
#include <optional>

#include "channel/file/checkpoint.h"
#include "channel/file/event_ranges.h"

namespace millrace::file_channel {

// What was seen in the records that were gone through.
struct LogReading {
  EventRanges puts;
  EventRanges acks;
  std::uint64_t dropped = 0;  // The highest count of an acknowledgement.
};

// As a checkpoint's fields of these names.
struct Reckoning {
  EventNumber next = 0;
  EventRanges live;
  std::uint64_t dropped = 0;
  std::uint64_t void_numbers = 0;
  std::uint64_t lost = 0;  // Events that the checkpoint knew and the log does not hold.

  // When a data dir could not be read. Numbers that it may have given to puts that nobody else
  // knows of, and live events that must be there: they are in no other dir.
  EventRanges unknown;
  EventRanges out_of_reach;
};

// How a log was read.
enum class LogIs {
  kReadOn,      // From the positions of the checkpoint on, which speaks of this log.
  kReadAll,     // From its beginning.
  kPartlyRead,  // From its beginning, but for dirs out of reach; the checkpoint fits the others.
  kPartlyReadAlone,  // Likewise, and the checkpoint, if there is one, does not fit.
};

Reckoning reckon(const std::optional<Checkpoint>& checkpoint, LogIs log_is, const LogReading& log);

}  // namespace millrace::file_channel
