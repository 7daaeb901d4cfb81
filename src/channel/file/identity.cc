#include "channel/file/identity.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/log.h"
#include "channel/file/atomic_file.h"
#include "channel/file/segment.h"

namespace millrace::file_channel {
namespace {

using Path = std::filesystem::path;

// A data dir as it was found.
struct Found {
  Path path;
  std::optional<DirMeta> meta;
  bool has_segments = false;
  std::string flume_file;  // One that a file channel of Flume left; empty when none is there.
};

Result<Found> look(FileSystem& files, const Path& path) {
  Found found;
  found.path = path;
  bool has_meta = false;
  for (const std::string& name : TRY(files.list(path))) {
    has_meta = has_meta || name == kMetaName;
    found.has_segments = found.has_segments || segment_slot(name) > 0;
    if (name.starts_with("log-") && name.ends_with(".meta")) {
      found.flume_file = name;
    }
  }
  if (has_meta) {
    const std::string text = TRY(read_file(files, meta_path(path)));
    found.meta = TRY(decode_meta(text).with(meta_path(path).string()));
  }
  return found;
}

Result<> write_metas(FileSystem& files, std::span<const Found> found, const Identity& identity,
                     bool is_complete) {
  DirMeta meta{identity.channel, {}, is_complete, identity.directories, {}};
  for (const Found& dir : found) {
    meta.sister_paths.push_back(dir.path.string());
  }
  // Added dirs first: a dir must not be named by its sisters before it can answer for itself.
  for (const bool is_known : {false, true}) {
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (found[i].meta.has_value() == is_known) {
        meta.directory = identity.directories[i];
        TRY(replace_file(files, meta_path(found[i].path), encode_meta(meta)));
      }
    }
  }
  return {};
}

Result<> refuse_strangers(std::span<const Found> found, const Identity& identity) {
  for (const Found& dir : found) {
    if (dir.meta && dir.meta->channel != identity.channel) {
      return bad_config("the data dir " + dir.path.string() + " belongs to another channel than " +
                        found.front().path.string());
    }
    if (!dir.meta && dir.has_segments) {
      return bad_config("the data dir " + dir.path.string() +
                        " has segments but no channel.meta: put that file back");
    }
    if (!dir.meta || !dir.meta->is_complete) {
      continue;
    }
    for (std::size_t i = 0; i < dir.meta->sisters.size(); ++i) {
      const Id& sister = dir.meta->sisters[i];
      const bool present = std::any_of(found.begin(), found.end(), [&](const Found& other) {
        return other.meta && other.meta->directory == sister;
      });
      if (!present) {
        return bad_config(
            fmt::format("a part of the channel is missing: {} says that another data dir was at "
                        "{}, which is empty, not mounted, or no longer named in dataDirs. Its "
                        "events would be lost: mount it, or name it again, and start again",
                        dir.path.string(), dir.meta->sister_paths[i]));
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

Error none_holds_a_channel(std::span<const Found> found) {
  std::string names;
  for (const Found& dir : found) {
    names += (names.empty() ? "" : ", ") + dir.path.string();
  }
  const auto of_flume = std::find_if(found.begin(), found.end(),
                                     [](const Found& dir) { return !dir.flume_file.empty(); });
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
  std::vector<Found> found;
  Identity identity;
  bool has_complete = false;  // One at least; else the identity is of a channel to be made.
  bool needs_writing = false;
};

Result<Examined> examine(FileSystem& files, std::span<const Path> dirs) {
  Examined all;
  for (const Path& dir : dirs) {
    all.found.push_back(TRY(look(files, dir)));
  }
  for (const Found& dir : all.found) {
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
  for (Found& dir : all.found) {
    if (dir.meta && !dir.meta->is_complete && dir.meta->channel != all.identity.channel) {
      dir.meta.reset();  // Left by a start that did not come to its end.
    }
  }
  TRY(refuse_strangers(all.found, all.identity));
  for (const Found& dir : all.found) {
    all.identity.directories.push_back(dir.meta ? dir.meta->directory : Id::random());
    all.needs_writing = all.needs_writing || (dir.meta && dir.meta->sisters.size() != dirs.size());
  }
  return all;
}

}  // namespace

Result<Identity> identify(FileSystem& files, std::span<const Path> dirs,
                          const KnownChannel& known) {
  Examined all = TRY(examine(files, dirs));
  if (!all.has_complete && !known.places.empty()) {
    return all_are_empty(dirs, known);
  }
  for (const Found& dir : all.found) {
    if (!dir.flume_file.empty()) {
      log_warning("file channel",
                  "{} holds files of Apache Flume ({}): the events in them are not read; `millrace "
                  "channel import` moves them into a channel with folders of its own",
                  dir.path.string(), dir.flume_file);
    }
  }
  if (all.needs_writing) {
    // First all, then all as complete: a start that is cut off in between begins anew.
    if (!all.has_complete) {
      TRY(write_metas(files, all.found, all.identity, false));
    }
    TRY(write_metas(files, all.found, all.identity, true));
  }
  return std::move(all.identity);
}

Result<Identity> read_identity(FileSystem& files, std::span<const Path> dirs) {
  Examined all = TRY(examine(files, dirs));
  if (!all.has_complete) {
    return none_holds_a_channel(all.found);
  }
  return std::move(all.identity);
}

}  // namespace millrace::file_channel
