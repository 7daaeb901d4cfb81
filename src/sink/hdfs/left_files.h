// Files that a sink which delivers at least once had open when its process was killed.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "client/dfs/file_system.h"
#include "serializer/whole_part.h"
#include "sink/exactly_once/file_ledger.h"
#include "sink/hdfs/bucket_file.h"

namespace millrace {

// Only those of the ledger: another agent's file may look the same, and be alive. Each is closed
// (its lease recovered), cut behind its last whole record, so that no reader meets a torn one, and
// gets its name; one without a record is removed. What was not committed stays, and comes again.
// Beside the sink's work: what cannot be done now is tried again, first after a second, at last
// every `longest_pause`.
// Threads: its sink's.
class LeftFiles {
 public:
  // How much of the file, which is closed, is whole.
  using FindEnd = std::function<Result<WholePart>(dfs::FileSystem& files, const std::string& path)>;

  // All outlive it. `component`: for the log, "sink k1".
  LeftFiles(dfs::FileSystem& files, FileLedger& ledger, Clock& clock, std::string component,
            std::chrono::seconds longest_pause, FindEnd find_end);

  // Those that the ledger has now; without those of which an intent says what is committed.
  void take_over(bool without_intents);
  void work();
  std::size_t size() const { return files_.size(); }

 private:
  struct File {
    std::string entry;  // Of the ledger.
    FileNames names;
    std::uint32_t tries = 0;
    SteadyTime next_try{};
  };
  Result<> finish(const FileNames& names);
  Result<bool> cut(const FileNames& names);
  void note(File& file, const Error& error);

  dfs::FileSystem& dfs_;
  FileLedger& ledger_;
  Clock& clock_;
  const std::string component_;
  const std::chrono::seconds longest_pause_;
  const FindEnd find_end_;
  std::vector<File> files_;
};

}  // namespace millrace
