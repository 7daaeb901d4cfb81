// Which channel a data dir belongs to, and which other dirs hold the rest of it.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "channel/file/dir_meta.h"
#include "channel/file/format.h"
#include "io/file_system.h"

namespace millrace::file_channel {

struct Identity {
  Id channel;
  std::vector<Id> directories;  // In the order of the paths.
  std::vector<Id> forgotten{};  // Dirs that were given up: none of them may come back.
};

// What lies in the checkpoint dirs says of a channel: then it is not a new one.
struct KnownChannel {
  std::uint64_t events = 0;                   // That a checkpoint knows of.
  std::vector<std::filesystem::path> places;  // The files that say so; none: nothing is known.
};

// What channel.meta says in each of the dirs alike: all but which one it is.
DirMeta meta_of(const Identity& identity, std::span<const std::filesystem::path> dirs);

// Reads what the data dirs say of themselves, and writes it where the channel is new or a dir was
// added. The dirs that were at `given_up` are forgotten by it: the channel goes on without them,
// and refuses them from then on, also when the power is cut meanwhile, or as if it had not begun.
// kConfig, naming the dir and what to do, when one is missing, came back empty, or is of another
// channel, or when what is given up is not lost; kTransient when the disk fails.
Result<Identity> identify(FileSystem& files, std::span<const std::filesystem::path> dirs,
                          const KnownChannel& known,
                          std::span<const std::filesystem::path> given_up = {});

// The same of a channel that exists, without writing. kConfig also when no dir holds one.
Result<Identity> read_identity(FileSystem& files, std::span<const std::filesystem::path> dirs,
                               std::span<const std::filesystem::path> given_up = {});

}  // namespace millrace::file_channel
