// Takes what is damaged out of a stopped channel, so that its next start finds nothing wrong.
#pragma once

#include <filesystem>

#include "channel/file/channel_check.h"
#include "io/file_system.h"

namespace millrace::file_channel {

struct DamageRemoval {
  ChannelView view;  // As they were found.
  ChannelCheck check;
  EventRanges given_up;  // Events of the channel that no sink will get: counted as dropped.
};

// Locks the data dirs, checks them, and when they are not clean: copies damaged bytes to
// quarantine/, renames segments without a header to *.damaged, and acknowledges the events that
// cannot be read, in one record of a new segment, which is encrypted when the channel's are. All of
// it is durable when this returns. What a checkpoint says is left to the start: the log alone is
// read. kConfig when an agent has the channel open, or as view_channel(); kTransient when the disk
// fails.
Result<DamageRemoval> remove_damage(FileSystem& files, const ChannelFolders& channel,
                                    const CheckProgress& progress);

}  // namespace millrace::file_channel
