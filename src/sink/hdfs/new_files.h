// Begins the files of buckets, under names that nobody has.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "client/dfs/file_system.h"
#include "core/serializer.h"
#include "sink/exactly_once/file_ledger.h"
#include "sink/hdfs/bucket_file.h"

namespace millrace {

// Names as Flume's: PREFIX.N[.EXTENSION], N one more for each file of a row, which begins with the
// clock's milliseconds; while it is written with the in-use prefix and suffix. A file that is there
// is never written to. Each is in the ledger before it is made. Threads: its sink's.
class NewFiles {
 public:
  struct Plan {
    std::string in_use_prefix;
    std::string in_use_suffix;
    std::string extension;
    std::function<std::unique_ptr<EventSerializer>()> make_serializer;
    dfs::Durability durability = dfs::Durability::kHsync;
    bool by_intent = false;  // The files are delivered exactly once.
  };
  // All outlive it.
  NewFiles(dfs::FileSystem& files, FileLedger& ledger, Clock& clock, Plan plan)
      : dfs_(files), ledger_(ledger), clock_(clock), plan_(std::move(plan)) {}

  // `number`: of the row's last file; 0: it begins now.
  Result<std::unique_ptr<BucketFile>> create(const std::string& folder, const std::string& prefix,
                                             std::int64_t& number);
  // No row that begins later has a number of this one.
  void end_row(std::int64_t& number);
  dfs::Durability durability() const { return plan_.durability; }

 private:
  Result<std::optional<FileNames>> names(const std::string& folder, const std::string& name);

  dfs::FileSystem& dfs_;
  FileLedger& ledger_;
  Clock& clock_;
  const Plan plan_;
  std::int64_t highest_number_ = 0;  // Of the rows that are over.
};

}  // namespace millrace
