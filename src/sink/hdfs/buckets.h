// The buckets of an hdfs sink: one for each folder and prefix, each with a row of files.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "base/metrics.h"
#include "core/event_batch.h"
#include "sink/hdfs/bucket_file.h"
#include "sink/hdfs/finished_files.h"
#include "sink/hdfs/new_files.h"

namespace millrace {

struct Bucket {
  std::string folder;
  std::string prefix;
  std::int64_t number = 0;           // Of its last file (NewFiles).
  std::unique_ptr<BucketFile> file;  // Null: the next event begins one.
  std::uint32_t wanted_replicas = 0;
  std::uint32_t replica_rolls = 0;  // In a row.
  SteadyTime last_flush{};
  bool is_touched = false;               // In the transaction.
  std::vector<std::uint32_t> positions;  // Of events of the batch; for the sink.
};

// Opens, fills, flushes and ends files; a file that is ended or given up goes to `finished`.
// Threads: its sink's.
class Buckets {
 public:
  struct Plan {
    std::string component;  // For the log: "sink k1".
    // A file is ended at this age, after so long without an event, at so many bytes of bodies, at
    // so many events; 0: never.
    std::chrono::seconds roll_interval{0};
    std::chrono::seconds idle_timeout{0};
    std::uint64_t roll_size = 0;
    std::uint64_t roll_count = 0;
    std::size_t most_open = 5000;
    std::optional<std::uint32_t> least_replicas;  // Nothing: as many as the file was to have.
  };
  struct Counts {
    Counter& opened;
    Counter& closed;
    Counter& failed;
  };
  // All outlive it.
  Buckets(Clock& clock, NewFiles& new_files, FinishedFiles& finished, Plan plan, Counts counts);

  // Stays where it is until drop_unused() or clear().
  Bucket& find(const std::string& folder, const std::string& prefix);
  // Has a file open that the next event may go to.
  Result<> open(Bucket& bucket);
  Result<> append(Bucket& bucket, const EventBatch& batch);

  // Makes what was appended durable, all files at once; ends those that are full.
  Result<> flush();
  // After flush(): what was appended stays. Or: it comes again, and files that have any of it are
  // given up.
  void commit();
  void roll_back();

  // Between transactions. Ends what is due by the clock, or all of it.
  bool is_due() const;
  void end_due();
  void end_all();
  // Between batches: forgets buckets whose row of files is over, and such as are too many; whether
  // any.
  bool drop_unused();
  // Leaves all as it is.
  void clear();

  // The open files with committed events, as an intent names them.
  void append_to(FileIntent& intent) const;
  std::size_t open_files() const { return open_; }

 private:
  struct Key {
    std::string_view folder;
    std::string_view prefix;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct HashKey {
    std::size_t operator()(const Key& key) const {
      return std::hash<std::string_view>()(key.folder) * 31 +
             std::hash<std::string_view>()(key.prefix);
    }
  };
  using Recent = std::list<Bucket>;  // The one used last comes first.

  bool is_full(const BucketFile& file) const;
  bool lacks_replicas(Bucket& bucket) const;
  bool is_due(const Bucket& bucket, SteadyTime now) const;
  std::size_t fitting(const BucketFile& file, const EventBatch& batch, std::size_t from) const;
  void touch(Bucket& bucket);
  Result<> end(Bucket& bucket);
  void end_or_give_up(Bucket& bucket);
  void close(Bucket& bucket);
  void leave(Bucket& bucket, FinishedFiles::End end);
  Result<> make_room(const Bucket& bucket);
  void expect_due(SteadyTime at) { next_due_ = std::min(next_due_, at); }

  Clock& clock_;
  NewFiles& new_files_;
  FinishedFiles& finished_;
  const Plan plan_;
  const Counts counts_;
  Recent recent_;
  std::unordered_map<Key, Recent::iterator, HashKey> found_;
  std::vector<Bucket*> touched_;
  std::size_t open_ = 0;
  bool has_unused_ = false;                  // Some bucket's row of files is over.
  SteadyTime next_due_ = SteadyTime::max();  // No file is due before.
  std::string space_;                        // For bytes on their way to a stream.
};

}  // namespace millrace
