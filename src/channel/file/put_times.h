// When the events of a channel were put, by what their records say.
#pragma once

#include <cstdint>

#include "channel/file/channel_view.h"
#include "io/file_system.h"

namespace millrace::file_channel {

// Milliseconds since 1970 UTC; 0 where nothing says it.
struct PutTimes {
  std::int64_t oldest = 0;  // Of the first event that is in the channel.
  std::int64_t newest = 0;  // Of the last one ever put, as far as it is still on disk.
};

// Reads record headers of two segments a data dir, as a rule. kTransient when the disk fails.
Result<PutTimes> put_times(FileSystem& files, const ChannelView& view);

}  // namespace millrace::file_channel
