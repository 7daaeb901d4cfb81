// The puts of all data dirs of a channel, in the order of their numbers, for the tools.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "channel/file/dir_check.h"

namespace millrace::file_channel {

// Holds one put of each data dir in memory. Threads: one. View and file system outlive it.
class PutMerge {
 public:
  // Of the segments that are `wanted`.
  PutMerge(FileSystem& files, const ChannelView& view, const SegmentChoice& wanted);

  // The next put; null behind the last. Valid until the next call. kTransient when the disk fails.
  Result<const CheckedPut*> next();

  LogTally tally() const;
  std::uint64_t bytes() const;          // Gone through.
  std::uint64_t planned_bytes() const;  // That this comes to, about.

 private:
  struct Head {
    std::unique_ptr<DirCheck> dir;
    std::optional<CheckedPut> put;  // Nothing behind the last.
    bool is_used = true;            // Its put was given.
  };
  std::vector<Head> heads_;
};

}  // namespace millrace::file_channel
