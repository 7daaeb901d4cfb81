// The folders of a Flume file channel: found and checked.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "channel/flume_log/metadata.h"
#include "io/file_system.h"

namespace millrace::flume_log {

struct LogFile {
  std::filesystem::path path;
  std::size_t dir = 0;  // Which of the data dirs.
  std::uint64_t size = 0;
  LogMeta meta;  // meta.log is its number.
  // Write order of its first record, which no other log of any channel is likely to have; nothing
  // for one without records.
  std::optional<std::int64_t> first_order;
};

struct Folders {
  std::filesystem::path checkpoint_dir;
  std::vector<std::filesystem::path> data_dirs;
  std::vector<LogFile> logs;         // By their numbers.
  std::vector<std::string> remarks;  // What an operator should know about them.
};

// Nothing is written to any of them. kRejected, in words for the operator, for a folder that is
// none of a Flume file channel, that a running Flume uses, or whose logs are encrypted or of
// Flume 1.2.
Result<Folders> open_folders(FileSystem& files, std::filesystem::path checkpoint_dir,
                             std::vector<std::filesystem::path> data_dirs);

// kRejected, naming the process, when a Flume has one of them open.
Result<> refuse_in_use(FileSystem& files, const Folders& folders);

}  // namespace millrace::flume_log
