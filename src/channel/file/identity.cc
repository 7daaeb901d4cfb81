#include "channel/file/identity.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/log.h"
#include "channel/file/data_dirs.h"
#include "io/atomic_file.h"

namespace millrace::file_channel {
namespace {

using Path = std::filesystem::path;

// `meta`: what they share.
Result<> write_metas(FileSystem& files, std::span<const DataDir> dirs, DirMeta meta) {
  // Added dirs first: a dir must not be named by its sisters before it can answer for itself.
  for (const bool is_known : {false, true}) {
    for (std::size_t i = 0; i < dirs.size(); ++i) {
      if (dirs[i].meta.has_value() == is_known) {
        meta.directory = meta.sisters[i];
        TRY(replace_file(files, meta_path(dirs[i].path), encode_meta(meta)));
      }
    }
  }
  return {};
}

std::string joined(std::span<const Path> paths, std::string_view between) {
  std::string text;
  for (const Path& path : paths) {
    text += (text.empty() ? std::string() : std::string(between)) + path.string();
  }
  return text;
}

Error all_are_empty(std::span<const Path> dirs, const KnownChannel& known) {
  return bad_config(fmt::format(
      "nothing of the channel is in its dataDirs, {}, but {} {}. Either mount the disk, or put the "
      "folder's files back, and start again; or give these events up: remove {}, and the channel "
      "begins anew",
      joined(dirs, ", "), known.places.front().string(),
      known.events > 0 ? fmt::format("knows of {} events there", known.events)
                       : "says that it was there; events that came in later would be lost",
      joined(known.places, " and ")));
}

Error none_holds_a_channel(std::span<const DataDir> found) {
  std::string names;
  for (const DataDir& dir : found) {
    names += (names.empty() ? "" : ", ") + dir.path.string();
  }
  const auto of_flume = std::find_if(found.begin(), found.end(),
                                     [](const DataDir& dir) { return !dir.flume_file.empty(); });
  if (of_flume != found.end()) {
    return bad_config(
        fmt::format("{} holds a file channel of Apache Flume ({}), which has another "
                    "format: see `millrace channel import`",
                    of_flume->path.string(), of_flume->flume_file));
  }
  return bad_config("there is no file channel in " + names + ": no channel.meta is there");
}

// The data dirs as they are.
struct Examined {
  std::vector<DataDir> found;
  Identity identity;
  bool has_complete = false;  // One at least; else the identity is of a channel to be made.
  bool needs_writing = false;
};

void add_new(std::vector<Id>& ids, std::span<const Id> more) {
  for (const Id& id : more) {
    if (std::find(ids.begin(), ids.end(), id) == ids.end()) {
      ids.push_back(id);
    }
  }
}

// A dir is forgotten as soon as one of the others says so: where the power was cut before all did,
// the next start goes on with it.
Result<std::vector<Id>> forgotten_of(FileSystem& files, const Examined& all,
                                     std::span<const Path> given_up) {
  std::vector<Id> forgotten;
  for (const DataDir& dir : all.found) {
    if (dir.meta && dir.meta->channel == all.identity.channel) {
      add_new(forgotten, dir.meta->forgotten);
    }
  }
  for (const Path& path : given_up) {
    const std::vector<Id> lost = TRY(lost_at(files, all.found, all.identity.channel, path));
    add_new(forgotten, lost);
  }
  return forgotten;
}

Result<Examined> examine(FileSystem& files, std::span<const Path> dirs,
                         std::span<const Path> given_up) {
  Examined all;
  for (const Path& dir : dirs) {
    all.found.push_back(TRY(look(files, dir)));
  }
  for (const DataDir& dir : all.found) {
    const bool is_complete = dir.meta && dir.meta->is_complete;
    if (is_complete && !all.has_complete) {
      all.identity.channel = dir.meta->channel;
    }
    all.has_complete = all.has_complete || is_complete;
    all.needs_writing = all.needs_writing || !is_complete;
  }
  if (!all.has_complete) {
    all.identity.channel = Id::random();
  }
  for (DataDir& dir : all.found) {
    if (dir.meta && !dir.meta->is_complete && dir.meta->channel != all.identity.channel) {
      dir.meta.reset();  // Left by a start that did not come to its end.
    }
  }
  Identity& identity = all.identity;
  identity.forgotten = TRY(forgotten_of(files, all, given_up));
  TRY(refuse_strangers(all.found, identity.channel, identity.forgotten));
  for (const DataDir& dir : all.found) {
    identity.directories.push_back(dir.meta ? dir.meta->directory : Id::random());
    all.needs_writing =
        all.needs_writing || (dir.meta && (dir.meta->sisters.size() != dirs.size() ||
                                           dir.meta->forgotten != identity.forgotten));
  }
  return all;
}

}  // namespace

DirMeta meta_of(const Identity& identity, std::span<const Path> dirs) {
  DirMeta meta{identity.channel, {}, true, identity.directories, {}, identity.forgotten};
  for (const Path& dir : dirs) {
    meta.sister_paths.push_back(dir.string());
  }
  return meta;
}

Result<Identity> identify(FileSystem& files, std::span<const Path> dirs, const KnownChannel& known,
                          std::span<const Path> given_up) {
  Examined all = TRY(examine(files, dirs, given_up));
  if (!all.has_complete && !known.places.empty()) {
    return all_are_empty(dirs, known);
  }
  for (const DataDir& dir : all.found) {
    if (!dir.flume_file.empty()) {
      log_warning("file channel",
                  "{} holds files of Apache Flume ({}): the events in them are not read; `millrace "
                  "channel import` moves them into a channel with folders of its own",
                  dir.path.string(), dir.flume_file);
    }
  }
  if (all.needs_writing) {
    DirMeta meta = meta_of(all.identity, dirs);
    // First all, then all as complete: a start that is cut off in between begins anew.
    if (!all.has_complete) {
      meta.is_complete = false;
      TRY(write_metas(files, all.found, meta));
      meta.is_complete = true;
    }
    TRY(write_metas(files, all.found, meta));
  }
  return std::move(all.identity);
}

Result<Identity> read_identity(FileSystem& files, std::span<const Path> dirs,
                               std::span<const Path> given_up) {
  Examined all = TRY(examine(files, dirs, given_up));
  if (!all.has_complete) {
    return none_holds_a_channel(all.found);
  }
  return std::move(all.identity);
}

}  // namespace millrace::file_channel
