// What a data dir says of itself: the file channel.meta.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "channel/file/format.h"

namespace millrace::file_channel {

inline constexpr std::string_view kMetaName = "channel.meta";

struct DirMeta {
  Id channel;
  Id directory;
  // False until all dirs of a new channel have their file: no event was accepted yet.
  bool is_complete = false;
  std::vector<Id> sisters;                // All dirs of the channel, this one included.
  std::vector<std::string> sister_paths;  // Where they were, for messages.
  std::vector<Id> forgotten;              // Dirs that were given up: none of them may come back.
};

std::filesystem::path meta_path(const std::filesystem::path& dir);
// Locked while a process has the channel open; every folder of it has one.
std::filesystem::path lock_path(const std::filesystem::path& dir);
std::string encode_meta(const DirMeta& meta);
Result<DirMeta> decode_meta(std::string_view text);  // kCorrupt when damaged.

}  // namespace millrace::file_channel
