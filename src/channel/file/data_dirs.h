// The data dirs of a channel as they are found: what each says of itself, and whether they are one
// channel's, and all of it. Changes nothing.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "channel/file/dir_meta.h"
#include "io/file_system.h"

namespace millrace::file_channel {

struct DataDir {
  std::filesystem::path path;
  std::optional<DirMeta> meta;
  bool has_segments = false;
  std::string flume_file;  // One that a file channel of Flume left; empty when none is there.

  bool is_empty() const { return !meta && !has_segments; }  // As far as our format goes.
};

Result<DataDir> look(FileSystem& files, const std::filesystem::path& path);

// kConfig, naming the dir and what to do, when one is of another channel, is itself forgotten, or
// when a sister is missing that is not.
Result<> refuse_strangers(std::span<const DataDir> dirs, const Id& channel,
                          std::span<const Id> forgotten);

// The dir that the others say was at `path`: mostly one, several after a change of dirs that was
// cut off. kConfig when none was there, or it is not lost.
Result<std::vector<Id>> lost_at(FileSystem& files, std::span<const DataDir> dirs, const Id& channel,
                                const std::filesystem::path& path);

// Whether both name the same folder, as far as the names tell.
bool names_same_folder(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace millrace::file_channel
