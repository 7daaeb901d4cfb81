// hdfs: writes events to files of HDFS, or of this machine, a row of them for each bucket.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client/dfs/file_systems.h"
#include "core/component.h"
#include "core/sink.h"
#include "io/file_system.h"
#include "sink/exactly_once/file_ledger.h"
#include "sink/exactly_once/file_publisher.h"
#include "sink/hdfs/bucket_path.h"
#include "sink/hdfs/buckets.h"
#include "sink/hdfs/finished_files.h"
#include "sink/hdfs/hdfs_config.h"
#include "sink/hdfs/left_files.h"

namespace millrace {

// Durable: with hdfs.sync = hsync, flush() and prepare() return when what was delivered is on the
// disks of the DataNodes; with hflush, in their memory. All files of a transaction are flushed at
// once. A full file is ended with its transaction.
// Repeats: none after an error: a file that has any of a transaction that failed is given up, cut
// to what was committed, and gets its name. After a kill, what was flushed and not committed; with
// hdfs.delivery = exactly-once, none.
// Files: each is in a ledger of this machine before it is made, and after a kill those are finished
// that the ledger names, no others.
// Threads: made on the control thread, then used by its runner's thread alone.
class HdfsSink final : public Sink, private ExactlyOnce {
 public:
  using Config = HdfsSinkConfig;
  HdfsSink(Config config, SinkContext context);
  ~HdfsSink() override;

  Result<> start() override;
  Result<> deliver(const EventBatch& batch, Rejects& rejects) override;
  Result<> flush() override;
  Result<> idle() override;
  void stop() override;
  ExactlyOnce* exactly_once() override { return config_.exactly_once() ? this : nullptr; }
  std::size_t batch_size() const override { return config_.batch_size; }
  bool flush_is_costly() const override { return true; }

 private:
  // What is of one file system; made when it is found.
  struct Parts;

  Result<> recover(std::string_view intent) override;
  Result<std::string> prepare(bool last) override;
  Result<> publish() override;
  bool is_due() const override;

  Result<> connect();
  Result<> lock_ledger();
  Result<> sort_out(const EventBatch& batch, Rejects& rejects);
  Result<> deliver_groups(const EventBatch& batch);
  Result<> undo(Result<> failure);

  const Config config_;
  const SinkContext context_;
  const std::string log_name_;  // "sink k1"
  dfs::FileSystems file_systems_;
  FileLedger ledger_;
  std::unique_ptr<FileLock> lock_;  // Of the ledger, against another agent of the same names.
  std::unique_ptr<Parts> parts_;    // Null until start() succeeds.
  std::vector<Bucket*> groups_;     // Those that events of the batch go to.
  Bucket* last_bucket_ = nullptr;   // Of the last event; null: path_ has none.
  bool is_stale_ = false;           // The committed intent names files that are published.
};

}  // namespace millrace
