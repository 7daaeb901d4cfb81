// Opens the storage of a file channel: its folders, their locks, and what was in it.
#pragma once

#include "channel/file/folders.h"
#include "channel/file/state.h"

namespace millrace::file_channel {

// Makes what is missing, recovers what the channel held, and opens `state` for puts and takes. No
// thread of the channel may run. A data dir that cannot be read or written is left out when the
// others do without it. kTransient when the disk fails or a folder is in use, kConfig when one is
// missing, of another channel or of a later version.
Result<DirLocks> open_storage(State& state);

}  // namespace millrace::file_channel
