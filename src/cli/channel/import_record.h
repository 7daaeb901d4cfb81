// What an import leaves behind in the checkpoint dir of the channel that it filled: so that a
// second one is noticed, and one that was cut short goes on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "channel/flume_log/folders.h"
#include "channel/flume_log/record.h"
#include "io/file_system.h"

namespace millrace {

// The number of a log file, and the write order of its first record: together they tell the log of
// one channel from all others, wherever it was copied to.
using LogName = std::pair<std::uint32_t, std::int64_t>;

struct ImportRecord {
  std::uint64_t number = 0;  // Of its file.
  bool is_complete = false;
  std::string checkpoint_dir;  // Flume's, for people.
  std::vector<LogName> logs;
  std::uint64_t events = 0;        // In Flume's queue,
  std::uint32_t events_crc = 0;    // and which ones.
  std::uint64_t put_before = 0;    // What our channel had taken in before,
  std::uint64_t gone_before = 0;   // and what of it had left.
  std::uint64_t batch_events = 0;  // Most events of one put.

  bool shares_log_with(const ImportRecord& other) const;
  bool has_same_events_as(const ImportRecord& other) const {
    return events == other.events && events_crc == other.events_crc;
  }
};

// What is known of Flume's side before anything was put.
ImportRecord record_of(const flume_log::Folders& folders,
                       const std::vector<flume_log::Pointer>& events);

std::string encode_import_record(const ImportRecord& record);
// kCorrupt for anything else, kRejected for one of a later version.
Result<ImportRecord> decode_import_record(std::string_view text);

// All in `dir`, by their numbers.
Result<std::vector<ImportRecord>> read_import_records(FileSystem& files,
                                                      const std::filesystem::path& dir);
// As a whole, and durable when it returns.
Result<> write_import_record(FileSystem& files, const std::filesystem::path& dir,
                             const ImportRecord& record);

}  // namespace millrace
