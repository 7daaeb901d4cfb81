// The folders of a file channel: makes and locks them, and keeps beside the checkpoints what the
// data dirs say of themselves.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "channel/file/checkpoint.h"
#include "channel/file/identity.h"
#include "channel/file/options.h"
#include "io/file_system.h"

namespace millrace::file_channel {

// The channel's folders, against other processes; held as long as it is open.
using DirLocks = std::vector<std::unique_ptr<FileLock>>;

// Of two checkpoint dirs one is enough; of the data dirs all are needed, since without one nobody
// knows which numbers it has given. kTransient when another process has one of them open, naming
// it, or when there is not enough.
Result<DirLocks> open_folders(FileSystem& files, const Options& options);

// What the checkpoints and the files beside them say.
KnownChannel known_channel(FileSystem& files, const Options& options,
                           const std::vector<Checkpoint>& checkpoints);

// Writes channel.meta beside the checkpoints: a data dir that comes back empty is then known as one
// that was not, even without a checkpoint. A failure is logged alone.
void remember(FileSystem& files, const Options& options, const Identity& identity);

}  // namespace millrace::file_channel
