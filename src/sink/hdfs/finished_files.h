// Files that are written no more and do not have their names yet.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"
#include "client/dfs/file_system.h"
#include "sink/exactly_once/file_intent.h"
#include "sink/exactly_once/file_ledger.h"
#include "sink/exactly_once/file_publisher.h"
#include "sink/hdfs/bucket_file.h"

namespace millrace {

// A file gets its name when what is in it is committed; one without a committed event is removed.
// A file that was given up is cut to what was committed first. What cannot be done now is tried
// again, first after a second, at last every `longest_pause`.
// Threads: its sink's.
class FinishedFiles {
 public:
  struct Plan {
    std::string component;  // For the log: "sink k1".
    std::chrono::seconds longest_pause{180};
    std::uint32_t most_tries = 0;  // Of publish_due(), then a file waits for the next start; 0: no
                                   // end.
  };
  // The last three outlive it.
  FinishedFiles(dfs::FileSystem& files, FilePublisher& publisher, FileLedger& ledger, Clock& clock,
                Plan plan);

  enum class End {
    kClosed,   // What was written is in it, and nobody has its lease.
    kFlushed,  // Likewise, but its lease is to be recovered.
    kGivenUp,  // Behind what is committed anything may be.
  };
  void add(const BucketFile& file, End end);
  // What was written before the last add() is committed; or it comes again in other files.
  void commit();
  void roll_back();

  // The committed files, as an intent names them.
  void append_to(FileIntent& intent) const;
  // All of them, or the first error.
  Result<> publish_all();
  // Those that it is time for, or all of them at the last; what fails is told once.
  void publish_due(bool at_last = false);
  bool empty() const { return files_.empty(); }
  std::size_t size() const { return files_.size(); }
  void clear() { files_.clear(); }

 private:
  struct File {
    FileNames names;
    FileExtent written;
    FileExtent committed;
    bool is_closed;
    std::uint32_t tries = 0;
    SteadyTime next_try{};
  };
  Result<> publish(File& file);
  bool give_up(File& file, const Error& error);
  static IntendedFile intended(const File& file);

  dfs::FileSystem& dfs_;
  FilePublisher& publisher_;
  FileLedger& ledger_;
  Clock& clock_;
  const Plan plan_;
  std::vector<File> files_;
};

}  // namespace millrace
