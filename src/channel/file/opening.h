// Opens the storage of a file channel: its folders, their locks, and what was in it.
#pragma once

#include <memory>
#include <vector>

#include "channel/file/state.h"

namespace millrace::file_channel {

// The channel's folders, against other processes; held as long as it is open.
using DirLocks = std::vector<std::unique_ptr<FileLock>>;

// Makes what is missing, recovers what the channel held, and opens `state` for puts and takes. No
// thread of the channel may run. kTransient when the disk fails, kConfig when a folder is in use,
// missing, of another channel or of a later version.
Result<DirLocks> open_storage(State& state);

}  // namespace millrace::file_channel
