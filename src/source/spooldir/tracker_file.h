// Flume's tracker file: which file of a spool folder is being read, and how far its events are
// committed (Flume 1.11, class DurablePositionTracker). docs/formats/spooldir-tracker.md has it
// byte by byte.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/file_system.h"

namespace millrace {

// What tells a file from another one that has its name later.
struct SpooledIdentity {
  std::uint64_t size = 0;
  std::int64_t modified_ns = 0;  // Since 1970.
  friend bool operator==(const SpooledIdentity&, const SpooledIdentity&) = default;
};
SpooledIdentity identity_of(const FileStatus& status);

struct TrackedPosition {
  std::string path;                         // As the configuration's folder and the name give it.
  std::uint64_t offset = 0;                 // Bytes of the file whose events are committed.
  std::optional<SpooledIdentity> identity;  // Nothing in a tracker that Flume wrote.
  std::string damage;                       // What was found wrong behind that; empty: nothing.
};

// The last whole position in `bytes`. kCorrupt when not even the head is whole. A position of ours
// counts only when it stands there twice, so that a flipped bit does not lead behind events that
// nobody took.
Result<TrackedPosition> parse_tracker(std::string_view bytes);

// Begins with the first position of a file, and grows by 28 bytes with each one after it.
//
// Atomic: a new tracker takes the place of the old one whole. A kill loses nothing that store()
// wrote; after a power loss an earlier position may be the last, never a later one.
// Threads: its owner's.
class TrackerFile {
 public:
  static constexpr std::uint64_t kLargest = std::uint64_t{1} << 20;  // Then it is begun anew.

  TrackerFile(FileSystem& files, std::filesystem::path path)
      : files_(files), path_(std::move(path)) {}

  const std::filesystem::path& path() const { return path_; }
  // Nothing when there is none, or an empty one.
  Result<std::optional<TrackedPosition>> load();
  // The events of the first `offset` bytes of `file` are committed.
  Result<> store(const std::string& file, const SpooledIdentity& identity, std::uint64_t offset);
  // The file is done: nothing is tracked any more.
  Result<> forget();

 private:
  FileSystem& files_;
  const std::filesystem::path path_;
  std::unique_ptr<File> file_;  // Open for the file named target_.
  std::string target_;
  std::string sync_;
  std::uint64_t end_ = 0;
};

}  // namespace millrace
