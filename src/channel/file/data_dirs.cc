#include "channel/file/data_dirs.h"

#include <fmt/format.h>

#include <algorithm>

#include "channel/file/segment.h"

namespace millrace::file_channel {
namespace {

using Path = std::filesystem::path;

// A dir of the channel, by the word of one that was found.
struct Sister {
  Id id;
  std::string path;
  const DataDir* named_by;
};

std::vector<Sister> sisters_of(std::span<const DataDir> dirs) {
  std::vector<Sister> all;
  for (const DataDir& dir : dirs) {
    for (std::size_t i = 0; dir.meta && dir.meta->is_complete && i < dir.meta->sisters.size();
         ++i) {
      all.push_back({dir.meta->sisters[i], dir.meta->sister_paths[i], &dir});
    }
  }
  return all;
}

// Null when none of them is.
const DataDir* find(std::span<const DataDir> dirs, const Id& directory) {
  const auto found = std::find_if(dirs.begin(), dirs.end(), [&](const DataDir& dir) {
    return dir.meta && dir.meta->directory == directory;
  });
  return found == dirs.end() ? nullptr : &*found;
}

bool contains(std::span<const Id> ids, const Id& id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

Result<> refuse_stranger(const DataDir& dir, const Path& first, const Id& channel,
                         std::span<const Id> forgotten) {
  if (dir.meta && dir.meta->channel != channel) {
    return bad_config("the data dir " + dir.path.string() + " belongs to another channel than " +
                      first.string());
  }
  if (dir.meta && contains(forgotten, dir.meta->directory)) {
    return bad_config("the data dir " + dir.path.string() +
                      " was given up by `millrace channel forget`, and the numbers of its events "
                      "may have been given again: use an empty folder");
  }
  if (!dir.meta && dir.has_segments) {
    return bad_config("the data dir " + dir.path.string() +
                      " has segments but no channel.meta: put that file back");
  }
  return {};
}

Error parts_are_missing(const std::vector<std::string>& paths, const std::string& named_by) {
  return bad_config(fmt::format(
      "a part of the channel is missing: {} says that another data dir was at {}, which is empty, "
      "not mounted, or no longer named in dataDirs. Its events would be lost: mount it, or name it "
      "again, and start again. Only what is gone for good can be given up: `millrace channel "
      "forget {}`",
      named_by, fmt::join(paths, ", and another at "), fmt::join(paths, " ")));
}

}  // namespace

Result<DataDir> look(FileSystem& files, const Path& path) {
  DataDir dir;
  dir.path = path;
  bool has_meta = false;
  for (const std::string& name : TRY(files.list(path))) {
    has_meta = has_meta || name == kMetaName;
    dir.has_segments = dir.has_segments || segment_slot(name) > 0;
    if (name.starts_with("log-") && name.ends_with(".meta")) {
      dir.flume_file = name;
    }
  }
  if (has_meta) {
    const std::string text = TRY(read_file(files, meta_path(path)));
    dir.meta = TRY(decode_meta(text).with(meta_path(path).string()));
  }
  return dir;
}

Result<> refuse_strangers(std::span<const DataDir> dirs, const Id& channel,
                          std::span<const Id> forgotten) {
  for (const DataDir& dir : dirs) {
    TRY(refuse_stranger(dir, dirs.front().path, channel, forgotten));
  }
  std::vector<std::string> missing;
  std::string named_by;
  for (const Sister& sister : sisters_of(dirs)) {
    if (find(dirs, sister.id) == nullptr && !contains(forgotten, sister.id) &&
        std::find(missing.begin(), missing.end(), sister.path) == missing.end()) {
      named_by = missing.empty() ? sister.named_by->path.string() : named_by;
      missing.push_back(sister.path);
    }
  }
  return missing.empty() ? Result<>() : Result<>(parts_are_missing(missing, named_by));
}

Result<std::vector<Id>> lost_at(FileSystem& files, std::span<const DataDir> dirs, const Id& channel,
                                const Path& path) {
  Result<DataDir> there = look(files, path);
  if (there.ok() && there->meta && there->meta->channel == channel) {
    return bad_config(path.string() +
                      " is not lost: it has a whole channel.meta of this channel. Name it in "
                      "dataDirs, and start again");
  }
  std::vector<Id> lost;
  std::vector<std::string> names;
  for (const Sister& sister : sisters_of(dirs)) {
    const DataDir* const found = find(dirs, sister.id);
    if (found == nullptr && names_same_folder(sister.path, path)) {
      lost.push_back(sister.id);
    }
    names.push_back(found == nullptr ? sister.path + " (missing)" : found->path.string());
  }
  if (lost.empty()) {
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return bad_config(fmt::format("no data dir of the channel is missing that was at {}; it has {}",
                                  path.string(), fmt::join(names, ", ")));
  }
  return lost;
}

bool names_same_folder(const Path& a, const Path& b) {
  return (a / "").lexically_normal() == (b / "").lexically_normal();
}

}  // namespace millrace::file_channel
