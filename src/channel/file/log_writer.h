// Writes the groups of one data dir into segments, which it opens, recycles and gives up.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "channel/file/format.h"
#include "channel/file/group_writer.h"
#include "channel/file/keyring.h"
#include "channel/file/sealer.h"
#include "channel/file/segment.h"
#include "io/file_system.h"

namespace millrace::file_channel {

struct LogOptions {
  std::filesystem::path dir;
  Id channel;
  Id directory;
  std::uint64_t segment_bytes = 0;  // A longer group gets a longer segment.
  std::uint64_t minimum_free = 0;   // No segment is made that leaves less free.
  std::uint64_t next_order = 1;
  std::uint64_t next_slot = 1;
  std::uint64_t previous_generation = 0;  // Of the newest segment found at the start, and its end.
  std::uint64_t previous_end = 0;
  std::shared_ptr<const Keyring> keys{};  // Of new segments; may be null.
};

// Where a group lies.
struct GroupPlace {
  SegmentPtr segment;
  std::uint64_t from = 0;
  std::uint64_t end = 0;
  bool is_new_segment = false;
};

// A group is appended, then synced, here or by whoever holds the file, then settled. A segment is
// given up after a failed write or sync: what was not settled goes to another one, whose header
// says where the records of the one before end. No segment is written on after a restart. Threads:
// its committer's; add_spare() and give_back_spares() from any.
class LogWriter {
 public:
  static constexpr std::size_t kMostSpares = 6;

  LogWriter(FileSystem& files, LogOptions options);

  // Whether a group of `bytes` will begin another segment: all that was appended is to be settled
  // before.
  bool must_roll(std::uint64_t bytes) const;
  // kTransient while there is no segment that `bytes` fit into, and none can be made.
  Result<> prepare(std::uint64_t bytes);
  // Writes the group behind the one before it; nothing is durable yet.
  Result<GroupPlace> append(GroupWriter& group);
  // The file that append() wrote to last.
  const std::shared_ptr<File>& file() const { return active_->file; }
  // Syncs all that was appended; gives the segment up when that fails.
  Result<> sync();
  // What lies before `end` counts from now on; `synced` says that it is durable. kTransient when
  // the segment was moved or removed meanwhile: it does not count then.
  Result<> settle(std::uint64_t end, bool synced);
  // Closes the segment for good: what was not settled does not count.
  void give_up();

  // Takes a segment that nobody needs, or removes it when there are enough.
  void add_spare(Spare spare);
  // Removes the spares when the disk has less than minimum_free left.
  void give_back_spares();

 private:
  Result<> open_segment(std::uint64_t bytes);
  Result<std::shared_ptr<File>> open_file(std::uint64_t bytes, std::filesystem::path& path);
  std::optional<Spare> take_spare();

  FileSystem& files_;
  const LogOptions options_;
  std::uint64_t next_order_;
  std::uint64_t next_slot_;
  std::uint64_t previous_generation_;
  std::uint64_t previous_end_;
  SegmentPtr active_;
  Sealer sealer_;                   // When that is encrypted.
  std::uint64_t position_ = 0;      // In it; 0 = its header is not written yet.
  std::uint64_t settled_ = 0;       // What lies before it counts,
  std::uint64_t synced_ = 0;        // and is durable.
  std::uint64_t active_bytes_ = 0;  // Its length.
  std::mutex mutex_;                // Guards spares_.
  std::vector<Spare> spares_;
};

}  // namespace millrace::file_channel
