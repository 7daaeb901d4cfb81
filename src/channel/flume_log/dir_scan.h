// Goes through the logs of one data dir of Flume's, for a replay.
#pragma once

#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "channel/flume_log/checkpoint.h"
#include "channel/flume_log/folders.h"
#include "channel/flume_log/log_scanner.h"
#include "channel/flume_log/replay.h"

namespace millrace::flume_log {

// One data dir's logs, one behind the other.
class DirScan {
 public:
  DirScan(FileSystem& files, const Folders& folders, std::size_t dir,
          const FlumeCheckpoint* checkpoint);

  // Goes to the next record that the checkpoint does not cover; false at the end.
  Result<bool> advance(Contents& contents);
  const ScannedRecord& record() const { return *record_; }
  Pointer pointer() const { return at(record_->offset); }

  // Records of all dirs are replayed in the order in which they were written. As in Flume, within a
  // transaction what ends it comes last.
  auto rank() const {
    constexpr int kRanks[] = {0, 1, 0, 2, 3};  // By type.
    const RecordHeader& header = record_->header;
    return std::tuple(header.order, header.transaction, kRanks[static_cast<int>(header.type)]);
  }

 private:
  Pointer at(std::uint64_t offset) const {
    return {logs_[log_]->meta.log, static_cast<std::uint32_t>(offset)};
  }
  Result<> open_log();
  void close_log(Contents& contents);

  FileSystem& files_;
  const FlumeCheckpoint* const checkpoint_;
  std::vector<const LogFile*> logs_;
  std::size_t log_ = 0;
  std::unique_ptr<LogScanner> scanner_;
  std::optional<ScannedRecord> record_;
};

}  // namespace millrace::flume_log
