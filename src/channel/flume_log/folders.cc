#include "channel/flume_log/folders.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "channel/flume_log/file_window.h"
#include "channel/flume_log/record.h"

namespace millrace::flume_log {
namespace {

using Path = std::filesystem::path;
constexpr std::string_view kLogPrefix = "log-";
constexpr std::string_view kWayOut =
    "start Flume with its own configuration, its sources left out, until ChannelSize is 0";

// N of "log-N"; nothing for another name.
std::optional<std::uint32_t> log_number(std::string_view name) {
  if (!name.starts_with(kLogPrefix)) {
    return std::nullopt;
  }
  name.remove_prefix(kLogPrefix.size());
  std::uint32_t number = 0;
  const auto [stop, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  const bool whole = error == std::errc{} && stop == name.data() + name.size();
  return whole ? std::optional(number) : std::nullopt;
}

Result<> expect_folder(FileSystem& files, const Path& path) {
  Result<FileStatus> status = files.status(path);
  if (!status.ok() || !status->is_directory) {
    return rejected(path.string() + " is no folder");
  }
  return {};
}

// Flume replaces the file by way of the other names where it cannot do so in one step.
std::optional<Path> meta_file(FileSystem& files, const Path& log) {
  for (const char* suffix : {".meta", ".meta.tmp", ".meta.old"}) {
    const Path path = log.string() + suffix;
    if (files.exists(path)) {
      return path;
    }
  }
  return std::nullopt;
}

bool is_of_flume_1_2(std::string_view head) {
  return head == std::string_view("\0\0\0\2", 4);
}

Result<> refuse_foreign(const LogFile& log, std::string_view head, bool has_meta) {
  const std::string path = log.path.string();
  if (!has_meta && is_of_flume_1_2(head)) {
    return rejected(fmt::format("{} is a log of Flume 1.2 (version 2); {}", path, kWayOut));
  }
  if (log.meta.version != kVersion) {
    return rejected(fmt::format("{} is a log of version {}, not 3", path, log.meta.version));
  }
  if (log.meta.key_alias) {
    return rejected(fmt::format("{} is encrypted (key \"{}\"), which Millrace cannot read; {}",
                                path, *log.meta.key_alias, kWayOut));
  }
  return {};
}

Result<std::optional<std::int64_t>> first_order(FileWindow& window) {
  const std::string_view head = TRY(window.view(0, kFrameBytes + kPayloadHeadBytes));
  if (head.size() < kFrameBytes || (head[0] != kRecordMark && head[0] != kRemovedMark)) {
    return std::optional<std::int64_t>();
  }
  const Result<RecordHeader> header = decode_header(head.substr(kFrameBytes));
  return header.ok() ? std::optional(header.value().order) : std::nullopt;
}

// Without its .meta, or with a damaged one, a log is read from its beginning.
Result<> read_meta(FileSystem& files, std::uint32_t number, LogFile& log, Folders& folders) {
  FileWindow window = TRY(FileWindow::open(files, log.path));
  log.size = window.size();
  log.first_order = TRY(first_order(window));
  log.meta.log = number;
  const std::optional<Path> path = meta_file(files, log.path);
  if (!path) {
    const std::string_view head = TRY(window.view(0, 4));
    TRY(refuse_foreign(log, head, false));
    if (log.size > 0) {
      folders.remarks.push_back(log.path.string() + " has no .meta; it is read whole");
    }
    return {};
  }
  Result<LogMeta> meta = decode_log_meta(TRY(read_file(files, *path)));
  if (!meta.ok()) {
    folders.remarks.push_back(fmt::format("{} is damaged ({}); its log is read whole",
                                          path->string(), meta.error().message()));
    return {};
  }
  if (meta->log != number) {
    return rejected(
        fmt::format("{} is about log-{}: files have been renamed", path->string(), meta->log));
  }
  log.meta = meta.value();
  return refuse_foreign(log, {}, true);
}

Result<> add_data_dir(FileSystem& files, std::size_t dir, Folders& folders) {
  const Path& path = folders.data_dirs[dir];
  TRY(expect_folder(files, path));
  const std::size_t before = folders.logs.size();
  for (const std::string& name : TRY(files.list(path))) {
    if (const auto number = log_number(name)) {
      LogFile log{.path = path / name, .dir = dir};
      TRY(read_meta(files, *number, log, folders));
      folders.logs.push_back(std::move(log));
    }
  }
  if (folders.logs.size() == before) {
    return rejected(path.string() + " holds no log-N: it is no data dir of a Flume file channel");
  }
  return {};
}

}  // namespace

Result<Folders> open_folders(FileSystem& files, Path checkpoint_dir, std::vector<Path> data_dirs) {
  Folders folders{std::move(checkpoint_dir), std::move(data_dirs), {}, {}};
  TRY(expect_folder(files, folders.checkpoint_dir));
  TRY(refuse_in_use(files, folders));
  for (std::size_t dir = 0; dir < folders.data_dirs.size(); ++dir) {
    TRY(add_data_dir(files, dir, folders));
  }
  const auto number = [](const LogFile& log) { return log.meta.log; };
  std::sort(folders.logs.begin(), folders.logs.end(),
            [&](const LogFile& a, const LogFile& b) { return number(a) < number(b); });
  const auto twice = std::adjacent_find(
      folders.logs.begin(), folders.logs.end(),
      [&](const LogFile& a, const LogFile& b) { return number(a) == number(b); });
  if (twice != folders.logs.end()) {
    return rejected(fmt::format("{} and {} have one number: they are of different channels",
                                twice->path.string(), std::next(twice)->path.string()));
  }
  return folders;
}

// Flume locks the file in_use.lock, and loses the lock at once: it opens the file a second time to
// try out whether locks work, and when a process closes a file its locks on it are gone. But it
// keeps the file open.
Result<> refuse_in_use(FileSystem& files, const Folders& folders) {
  std::vector<Path> dirs = folders.data_dirs;
  dirs.push_back(folders.checkpoint_dir);
  for (const Path& dir : dirs) {
    if (const std::optional<int> user = files.opened_by(dir / "in_use.lock")) {
      return rejected(fmt::format("{} is in use by process {}; stop that Flume agent first",
                                  dir.string(), *user));
    }
  }
  return {};
}

}  // namespace millrace::flume_log
