#include "channel/file/dir_meta.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/checksum.h"

namespace millrace::file_channel {
namespace {

using Path = std::filesystem::path;
constexpr std::string_view kTitle = "millrace-file-channel 1";

// The line up to the next '\n', which is taken off `text`.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

// What stands behind "key " in the line; nothing when the key is another.
std::optional<std::string_view> value_of(std::string_view line, std::string_view key) {
  if (!line.starts_with(key) || line.size() <= key.size() || line[key.size()] != ' ') {
    return std::nullopt;
  }
  return line.substr(key.size() + 1);
}

}  // namespace

Path meta_path(const Path& dir) {
  return dir / kMetaName;
}

Path lock_path(const Path& dir) {
  return dir / "in_use.lock";
}

std::string encode_meta(const DirMeta& meta) {
  std::string text =
      fmt::format("{}\nchannel {}\ndirectory {}\nstate {}\n", kTitle, meta.channel.to_string(),
                  meta.directory.to_string(), meta.is_complete ? "complete" : "new");
  for (std::size_t i = 0; i < meta.sisters.size(); ++i) {
    text += fmt::format("sister {} {}\n", meta.sisters[i].to_string(), meta.sister_paths[i]);
  }
  for (const Id& id : meta.forgotten) {
    text += fmt::format("forgotten {}\n", id.to_string());
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
  const auto channel = value_of(take_line(covered), "channel");
  const auto directory = value_of(take_line(covered), "directory");
  const auto state = value_of(take_line(covered), "state");
  const std::optional<Id> channel_id = Id::parse(channel.value_or(""));
  const std::optional<Id> directory_id = Id::parse(directory.value_or(""));
  if (!channel_id || !directory_id || !state) {
    return damaged;
  }
  meta.channel = *channel_id;
  meta.directory = *directory_id;
  meta.is_complete = *state == "complete";
  while (!covered.empty()) {
    const std::string_view line = take_line(covered);
    const auto sister = value_of(line, "sister");
    const auto forgotten = value_of(line, "forgotten");
    if (!sister && !forgotten) {
      continue;  // A later version's, which has another title where this matters.
    }
    const std::optional<Id> id = Id::parse((sister ? *sister : *forgotten).substr(0, 32));
    if (!id) {
      return damaged;
    }
    if (sister) {
      meta.sisters.push_back(*id);
      meta.sister_paths.emplace_back(sister->substr(std::min<std::size_t>(33, sister->size())));
    } else {
      meta.forgotten.push_back(*id);
    }
  }
  return meta;
}

}  // namespace millrace::file_channel
