#include "channel/flume_log/dir_scan.h"

#include <fmt/core.h>

namespace millrace::flume_log {

DirScan::DirScan(FileSystem& files, const Folders& folders, std::size_t dir,
                 const FlumeCheckpoint* checkpoint)
    : files_(files), checkpoint_(checkpoint) {
  for (const LogFile& log : folders.logs) {
    if (log.dir == dir) {
      logs_.push_back(&log);
    }
  }
}

Result<bool> DirScan::advance(Contents& contents) {
  for (; log_ < logs_.size(); ++log_) {
    if (scanner_ == nullptr) {
      TRY(open_log());
    }
    do {
      record_ = TRY(scanner_->next());
    } while (record_ && checkpoint_ != nullptr && record_->header.order <= checkpoint_->order);
    if (record_) {
      return true;
    }
    close_log(contents);
  }
  return false;
}

Result<> DirScan::open_log() {
  const LogFile& log = *logs_[log_];
  const std::uint64_t from = checkpoint_ != nullptr ? log.meta.replay_from(checkpoint_->order) : 0;
  scanner_ = std::make_unique<LogScanner>(TRY(FileWindow::open(files_, log.path)), from);
  return {};
}

void DirScan::close_log(Contents& contents) {
  const std::filesystem::path& path = logs_[log_]->path;
  for (const DamagedRange& range : scanner_->damages()) {
    contents.damages.push_back({path, at(range.from), range.to, range.what, range.is_one_record});
  }
  if (scanner_->torn_at()) {
    contents.remarks.push_back(
        fmt::format("{} ends within a record, at byte {}, as a crash leaves it: nobody was told "
                    "that it is there",
                    path.string(), *scanner_->torn_at()));
  }
  scanner_.reset();
}

}  // namespace millrace::flume_log
