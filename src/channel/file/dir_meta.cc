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

}  // namespace millrace::file_channel
