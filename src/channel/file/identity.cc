#include "channel/file/identity.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/checksum.h"
#include "base/log.h"
#include "channel/file/atomic_file.h"
#include "channel/file/segment.h"

namespace millrace::file_channel {
namespace {

using Path = std::filesystem::path;
constexpr std::string_view kName = "channel.meta";
constexpr std::string_view kTitle = "millrace-file-channel 1";

// The line up to the next '\n', which is taken off `text`.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

// What stands behind "key " in the next line; nothing when the key is another.
std::optional<std::string_view> take_value(std::string_view& text, std::string_view key) {
  const std::string_view line = take_line(text);
  if (!line.starts_with(key) || line.size() <= key.size() || line[key.size()] != ' ') {
    return std::nullopt;
  }
  return line.substr(key.size() + 1);
}

}  // namespace

Path meta_path(const Path& dir) {
  return dir / kName;
}

std::string encode_meta(const DirMeta& meta) {
  std::string text =
      fmt::format("{}\nchannel {}\ndirectory {}\nstate {}\n", kTitle, meta.channel.to_string(),
                  meta.directory.to_string(), meta.is_complete ? "complete" : "new");
  for (std::size_t i = 0; i < meta.sisters.size(); ++i) {
    text += fmt::format("sister {} {}\n", meta.sisters[i].to_string(), meta.sister_paths[i]);
  }
  return text + fmt::format("crc32c {:08x}\n", crc32c(text));
}

Result<DirMeta> decode_meta(std::string_view text) {
  const std::size_t crc_at = text.rfind("crc32c ");
  const Error damaged = corrupt("the file is damaged");
  if (crc_at == std::string_view::npos) {
    return damaged;
  }
  std::string_view covered = text.substr(0, crc_at);
  if (text.substr(crc_at) != fmt::format("crc32c {:08x}\n", crc32c(covered))) {
    return damaged;
  }
  if (take_line(covered) != kTitle) {
    return bad_config("written by a later version");
  }
  DirMeta meta;
  const auto channel = take_value(covered, "channel");
  const auto directory = take_value(covered, "directory");
  const auto state = take_value(covered, "state");
  const std::optional<Id> channel_id = Id::parse(channel.value_or(""));
  const std::optional<Id> directory_id = Id::parse(directory.value_or(""));
  if (!channel_id || !directory_id || !state) {
    return damaged;
  }
  meta.channel = *channel_id;
  meta.directory = *directory_id;
  meta.is_complete = *state == "complete";
  while (const auto sister = take_value(covered, "sister")) {
    const std::optional<Id> id = Id::parse(sister->substr(0, 32));
    if (!id) {
      return damaged;
    }
    meta.sisters.push_back(*id);
    meta.sister_paths.emplace_back(sister->substr(std::min<std::size_t>(33, sister->size())));
  }
  return meta;
}

namespace {

// A data dir as it was found.
struct Found {
  Path path;
  std::optional<DirMeta> meta;
  bool has_segments = false;
};

Result<Found> look(FileSystem& files, const Path& path) {
  Found found{path, std::nullopt, false};
  bool has_meta = false;
  for (const std::string& name : TRY(files.list(path))) {
    has_meta = has_meta || name == kName;
    found.has_segments = found.has_segments || segment_slot(name) > 0;
    if (name.starts_with("log-") && name.ends_with(".meta")) {
      log_warning("file channel",
                  "{} holds files of Apache Flume ({}): the events in them are not read; drain "
                  "them with Flume",
                  path.string(), name);
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

Error all_are_empty(std::span<const Path> dirs, const KnownEvents& known) {
  std::string names;
  for (const Path& dir : dirs) {
    names += (names.empty() ? "" : ", ") + dir.string();
  }
  return bad_config(fmt::format(
      "nothing of the channel is in its dataDirs, {}, but its checkpoint {} knows of {} "
      "events there. Either mount the disk, or put the folder's files back, and start "
      "again; or give these events up: remove {}, and the channel begins anew",
      names, known.checkpoint.string(), known.events, known.checkpoint.string()));
}

}  // namespace

Result<Identity> identify(FileSystem& files, std::span<const Path> dirs,
                          const std::optional<KnownEvents>& known) {
  std::vector<Found> found;
  for (const Path& path : dirs) {
    found.push_back(TRY(look(files, path)));
  }
  Identity identity;
  bool has_complete = false;
  bool needs_writing = false;
  for (const Found& dir : found) {
    const bool is_complete = dir.meta && dir.meta->is_complete;
    if (is_complete && !has_complete) {
      identity.channel = dir.meta->channel;
    }
    has_complete = has_complete || is_complete;
    needs_writing = needs_writing || !is_complete;
  }
  if (!has_complete) {
    if (known) {
      return all_are_empty(dirs, *known);
    }
    identity.channel = Id::random();
  }
  for (Found& dir : found) {
    if (dir.meta && !dir.meta->is_complete && dir.meta->channel != identity.channel) {
      dir.meta.reset();  // Left by a start that did not come to its end.
    }
  }
  TRY(refuse_strangers(found, identity));
  for (const Found& dir : found) {
    identity.directories.push_back(dir.meta ? dir.meta->directory : Id::random());
    needs_writing = needs_writing || (dir.meta && dir.meta->sisters.size() != dirs.size());
  }
  if (needs_writing) {
    // First all, then all as complete: a start that is cut off in between begins anew.
    if (!has_complete) {
      TRY(write_metas(files, found, identity, false));
    }
    TRY(write_metas(files, found, identity, true));
  }
  return identity;
}

}  // namespace millrace::file_channel
