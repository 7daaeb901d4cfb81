// One file of the log, and where in the log something lies.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "channel/file/event_ranges.h"
#include "channel/file/format.h"
#include "channel/file/sealing.h"
#include "io/file_system.h"

namespace millrace::file_channel {

// What is fixed stands first; the rest changes under the channel's lock.
struct Segment {
  std::filesystem::path path;
  std::uint64_t order = 0;  // Counts the segments of its data dir.
  std::uint64_t generation = 0;
  SegmentKeyPtr key;  // Null: not encrypted.

  EventRange numbers;     // Of the puts inside; other dirs have some of them.
  std::uint64_t end = 0;  // Behind its last durable group.
  // Where reading held events back goes on: puts before `offset` have only numbers below `number`.
  struct {
    std::uint64_t offset = kFirstRecord;
    EventNumber number = 0;
  } recalled;
  // Open while it is written or read. Reads run beside the committer's writes.
  std::shared_ptr<File> file;

  Generation records() const { return {generation, key.get()}; }
};
using SegmentPtr = std::shared_ptr<Segment>;

// A file whose contents nobody needs: it is written over.
struct Spare {
  std::filesystem::path path;
};

std::filesystem::path segment_path(const std::filesystem::path& dir, std::uint64_t slot);
// The slot of a name that segment_path() made; 0 for any other.
std::uint64_t segment_slot(const std::string& name);

}  // namespace millrace::file_channel
