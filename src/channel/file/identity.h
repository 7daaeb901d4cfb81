// Which channel a data dir belongs to, and which other dirs hold the rest of it.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "channel/file/format.h"
#include "io/file_system.h"

namespace millrace::file_channel {

// The file channel.meta of a data dir.
struct DirMeta {
  Id channel;
  Id directory;
  // False until all dirs of a new channel have their file: no event was accepted yet.
  bool is_complete = false;
  std::vector<Id> sisters;                // All dirs of the channel, this one included.
  std::vector<std::string> sister_paths;  // Where they were, for messages.
};

std::filesystem::path meta_path(const std::filesystem::path& dir);
std::string encode_meta(const DirMeta& meta);
Result<DirMeta> decode_meta(std::string_view text);  // kCorrupt when damaged.

struct Identity {
  Id channel;
  std::vector<Id> directories;  // In the order of the paths.
};

// What a checkpoint says is in a channel's data dirs.
struct KnownEvents {
  Id channel;
  std::uint64_t events = 0;  // At least 1.
  std::filesystem::path checkpoint;
};

// Reads what the data dirs say of themselves, and writes it where the channel is new or a dir was
// added. kConfig, naming the dir and what to do, when one is missing, came back empty, or is of
// another channel.
Result<Identity> identify(FileSystem& files, std::span<const std::filesystem::path> dirs,
                          const std::optional<KnownEvents>& known);

}  // namespace millrace::file_channel
