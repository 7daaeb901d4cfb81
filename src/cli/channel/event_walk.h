// Goes through the events of a channel that a command wants, in the order of their numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "base/result.h"
#include "channel/file/put_merge.h"
#include "cli/channel/event_output.h"

namespace millrace {

// Which events: called with the number and the time of the put that holds it.
using EventChoice = std::function<bool(file_channel::EventNumber number, std::int64_t time_ms)>;

struct WalkCounts {
  file_channel::EventRanges found;    // Given to `take`.
  file_channel::EventRanges damaged;  // Wanted, and they do not fit their checksum.
  std::uint64_t gone = 0;             // Segments written over by the agent before they were read.
  std::optional<file_channel::RecordHeader> first;  // Of the first put seen, wanted or not.
  std::uint64_t timeless = 0;  // Events seen that an older version wrote, without a time.
};

// Gives each wanted event of the wanted segments to `take`, once, and none that was put after
// `view` was made; shows how far it is on a terminal.
Result<WalkCounts> walk_events(FileSystem& files, const file_channel::ChannelView& view,
                               const file_channel::SegmentChoice& segments,
                               const EventChoice& wanted,
                               const std::function<Result<>(const ChannelEvent&)>& take);

}  // namespace millrace
