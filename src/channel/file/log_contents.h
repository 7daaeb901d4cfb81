// What the log of a channel says: read without changing anything, by a start and by the tools.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "channel/file/checkpoint.h"
#include "channel/file/identity.h"
#include "channel/file/reckoning.h"
#include "channel/file/segment_reader.h"
#include "channel/file/segment_survey.h"
#include "io/file_system.h"

namespace millrace::file_channel {

struct SegmentContents {
  FoundSegment found;
  bool is_needed = true;          // False: what it holds has left, and it may be written over.
  EventRange numbers;             // Of its puts.
  std::uint64_t end = 0;          // Behind its last group.
  std::uint64_t durable_end = 0;  // Groups went so far, whatever is found now; 0: nothing says so.
  // Of the records that were gone through.
  std::vector<ByteRange> damaged;  // No whole record, and one behind it.
  std::vector<ByteRange> damaged_acknowledgements;
  std::optional<ByteRange> incomplete;       // The last record, cut off.
  bool has_locked_acknowledgements = false;  // Its key is not there.
};

struct DirContents {
  std::vector<SegmentContents> segments;  // In their order.
  std::uint64_t last_order = 0;           // The highest that was ever seen.
};

struct LogContents {
  Reckoning events;
  std::vector<DirContents> dirs;
};

// The segments of all dirs, in the order of the dirs.
Result<std::vector<FoundDir>> survey_dirs(FileSystem& files,
                                          const std::vector<std::filesystem::path>& dirs,
                                          const Identity& identity, const Keyring& keys);

// A log, and how the checkpoints bear on it.
struct FittedLog {
  LogContents log;
  std::vector<std::string> misfits;  // Why the first so many do not fit; all: none does.
};

// With the first of the checkpoints that fits, the newest first, only the records that were written
// after it are looked at, else the headers of all. One does not fit when a segment that it speaks
// of is not there, or is another by now; or when the log went on without it, from an older one, and
// gave numbers again that it knows. kTransient when the disk fails, kConfig when the key of a
// segment that is needed is not there.
Result<FittedLog> read_log(FileSystem& files, const std::vector<FoundDir>& found,
                           const Identity& identity, std::span<const Checkpoint> newest_first);

// All records, whatever fits; `newest` tells what there should be.
Result<LogContents> read_whole_log(FileSystem& files, const std::vector<FoundDir>& found,
                                   const Identity& identity,
                                   const std::optional<Checkpoint>& newest);

}  // namespace millrace::file_channel
