// A row of output files, one open at a time, each replaced when it is old or large.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/metrics.h"
#include "sink/output_file.h"

namespace millrace {

// Files of a row since its sink was made.
struct FileCounts {
  Counter& opened;
  Counter& closed;
  Counter& failed;  // Could not be begun.
};

// Durable: as OutputFile. A file that is there is never written to: neither one of an earlier run,
// whose end may be torn, nor one of the same name.
// Repeats: none after an error, as long as the file can be cut back to what was committed.
// Threads: one.
class OutputSeries {
 public:
  struct Plan {
    std::string component;  // For the log: "sink k1".
    OutputSync sync = OutputSync::kDurable;
    // A file with events is replaced at this age and at this size; 0: never.
    std::chrono::seconds roll_interval{0};
    std::uint64_t roll_bytes = 0;
    bool keep_empty = true;  // A file without events stays when it is closed.
    std::function<std::filesystem::path()> next_path;  // Another one at each call.
    std::function<std::unique_ptr<EventSerializer>()> make_serializer;
  };
  OutputSeries(FileSystem& files, Clock& clock, Plan plan, FileCounts counts);

  // Begins a file, unless one is open; append() does so too.
  Result<> open();
  // After an error of these two nothing of the transaction is in the file, as far as it can be cut.
  Result<> append(const EventBatch& batch);
  Result<> commit();
  // Between transactions: ends a file that is due, or that somebody has moved away.
  void roll_if_due();
  // Likewise between transactions. The next event begins another one.
  void close();

 private:
  bool is_due() const;
  Result<> undo(Result<> failure);

  FileSystem& files_;
  Clock& clock_;
  const Plan plan_;
  const FileCounts counts_;
  std::unique_ptr<OutputFile> file_;  // Null: the next event begins one.
  SteadyTime opened_at_{};
};

}  // namespace millrace
