// What a check of a channel's log finds: counts, and what is not as it was written.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "channel/file/event_ranges.h"
#include "channel/file/segment_reader.h"

namespace millrace::file_channel {

struct Finding {
  enum class Kind {
    kNoRecord,         // Bytes that are no record, before one.
    kEvents,           // A put of which some events do not fit their checksum.
    kIndex,            // A put whose events are whole and whose index does not fit its checksum.
    kAcknowledgement,  // Damaged: what it acknowledged may come again.
    kMissing,          // The records of the segment once went on.
    kCutOff,           // The last group, as a crash leaves it: it was not acknowledged.
    kBeingWritten,     // The last group of a channel in use.
  };
  Kind kind;
  std::filesystem::path path;
  ByteRange bytes;
  EventRanges events;         // The numbers of those hit, where they can be told.
  bool is_set_aside = false;  // The channel has found it before, and kept a copy in quarantine/.

  bool is_damage() const { return kind != Kind::kCutOff && kind != Kind::kBeingWritten; }
};
std::string_view to_string(Finding::Kind kind);

// A put record and its events, which borrow from the reader's buffer.
struct CheckedPut {
  RecordHeader header;
  // Nothing for one that is damaged. Shorter than the header says where the record is cut off.
  std::vector<std::optional<PutReader::Event>> events;
};

// Takes the events out of the put record that `bytes` begin with; they may be cut off.
CheckedPut check_put(const RecordHeader& header, std::string_view bytes);
bool index_is_whole(const RecordHeader& header, std::string_view bytes);

struct PutNumbers {
  EventRanges whole;
  EventRanges damaged;
};
PutNumbers numbers_of(const CheckedPut& put);

struct LogTally {
  std::uint64_t segments = 0;
  std::uint64_t gone = 0;   // Segments that were written over, or removed, before they were read.
  std::uint64_t bytes = 0;  // Of segments, gone through.
  std::uint64_t puts = 0;
  std::uint64_t acknowledgements = 0;
  EventRanges whole;  // Numbers of the events that are whole.
  std::vector<Finding> findings;

  void add(const LogTally& other);
};

}  // namespace millrace::file_channel
