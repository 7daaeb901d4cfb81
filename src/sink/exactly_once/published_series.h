// The files of a sink that delivers exactly once into a folder of this machine.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <string>

#include "base/clock.h"
#include "client/dfs/local_file_system.h"
#include "core/sink.h"
#include "sink/exactly_once/file_ledger.h"
#include "sink/exactly_once/file_publisher.h"
#include "sink/output_file.h"
#include "sink/output_series.h"

namespace millrace {

// One file is open at a time, as `.NAME.part`, and is NAME once it is ended and the commit that
// says so is durable. A restart ends what was open.
// Durable: prepare() returns after fdatasync of the file and of its folder.
// Repeats: none that a reader sees. A file may be cut back in place, or given up and published as
// long as it was committed.
// Threads: its sink's.
class PublishedSeries final : public ExactlyOnce {
 public:
  struct Plan {
    std::string component;  // For the log: "sink k1".
    std::filesystem::path ledger;
    // A file with events is ended at this age; 0: as late as can be.
    std::chrono::seconds roll_interval{0};
    std::function<std::filesystem::path()> next_path;  // Another one at each call.
    std::function<std::unique_ptr<EventSerializer>()> make_serializer;
  };
  struct Counts {
    FileCounts files;
    Counter& published;
    Counter& lost;  // Committed files that were found under neither name, or short.
  };
  PublishedSeries(FileSystem& files, Clock& clock, Plan plan, Counts counts);

  Result<> append(const EventBatch& batch);

  Result<> recover(std::string_view intent) override;
  Result<std::string> prepare(bool last) override;
  Result<> publish() override;
  bool is_due() const override;

 private:
  Result<> open();
  bool is_taken(const std::filesystem::path& path) const;
  Result<> undo(Result<> failure);
  void end_file();
  void leave_file();
  bool file_is_due() const;
  IntendedFile intended(bool is_ended) const;

  FileSystem& files_;
  Clock& clock_;
  const Plan plan_;
  const Counts counts_;
  dfs::LocalFileSystem local_;
  FilePublisher publisher_;
  FileLedger ledger_;
  std::unique_ptr<FileLock> lock_;    // Of the ledger, against another agent of the same names.
  std::unique_ptr<OutputFile> file_;  // Null: the next event begins one.
  std::string published_path_;        // Of the open file.
  SteadyTime opened_at_{};
  FileIntent ended_;             // Not published yet.
  std::set<std::string> named_;  // Temporary names of the last intent.
  bool is_stale_ = false;        // The committed intent names files that are published.
};

}  // namespace millrace
