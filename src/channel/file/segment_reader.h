// Reads the records of a segment back: their headers alone at a start, whole ones for the sinks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "channel/file/event_ranges.h"
#include "channel/file/format.h"
#include "channel/file/intents.h"
#include "channel/file/sealing.h"
#include "core/event_batch.h"
#include "io/file_system.h"

namespace millrace::file_channel {

struct ByteRange {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
};

struct Acknowledged {
  std::vector<EventRange> events;
  Intents intents;
};

// Goes through the record headers of one segment. Bytes that are no record, but lie before one, are
// damage: they are noted and passed over. Threads: one.
class SegmentScanner {
 public:
  // Looks at [from, end) of the file; beyond the file's own end there is nothing.
  SegmentScanner(const File& file, Generation generation, std::uint64_t from, std::uint64_t end);

  struct Record {
    RecordHeader header;
    std::uint64_t offset;
  };
  // The next record; nothing behind the last one. A record that the end cuts off is the last.
  Result<std::optional<Record>> next();
  // The bytes of a record that next() gave, in clear text, fewer where the file ends; until the
  // next call. Of an encrypted record what is damaged are zeros. This and acknowledged() need the
  // generation's key, if it has one; next() does not.
  Result<std::string_view> bytes_of(const Record& record);
  // What an acknowledgement that next() gave says; kCorrupt when it is damaged.
  Result<Acknowledged> acknowledged(const Record& record);

  // Where the last record's group ends: what lies behind it was never acknowledged.
  std::uint64_t end_of_records() const { return round_up(position_, kBlock); }
  const std::vector<ByteRange>& damaged() const { return damaged_; }
  // The last record is cut off, or begins and does not go on.
  std::optional<ByteRange> incomplete() const { return incomplete_; }

 private:
  Result<std::string_view> window(std::uint64_t at, std::uint64_t bytes);
  Result<OpenedRecord> open(const Record& record);
  Result<std::optional<Record>> record_at(std::uint64_t at);
  Result<std::optional<std::uint64_t>> find_record(std::uint64_t from);
  Result<bool> is_padding(std::uint64_t from, std::uint64_t to);
  Result<> note_torn_end();

  const File& file_;
  const Generation generation_;
  std::uint64_t position_;
  std::uint64_t end_;
  bool end_is_known_ = false;  // end_ was held against the file's size.
  std::vector<ByteRange> damaged_;
  std::optional<ByteRange> incomplete_;
  std::string buffer_;
  std::uint64_t buffer_at_ = 0;
  std::string opened_;  // The last encrypted record that was opened.
};

// Takes the events out of a put record in clear text. `record` may be cut off. Views borrow from
// it. Threads: one.
class PutReader {
 public:
  PutReader(std::string_view record, const RecordHeader& header);

  struct Event {
    std::string_view body;
    std::string_view headers;
  };
  // How many of the record's entries its bytes hold: fewer where it is cut off.
  std::uint32_t entries_there() const;
  // Nothing when the event's bytes are not all there, or do not fit its checksum.
  std::optional<Event> event(std::uint32_t position);

 private:
  bool use_headers(std::uint32_t offset, std::uint32_t size);

  std::string_view index_;
  std::string_view header_blocks_;
  std::string_view bodies_;
  // The header block used last: neighbours share one, which is then checked once.
  std::optional<std::pair<std::uint32_t, std::uint32_t>> current_;
  bool current_is_good_ = false;
  std::string_view block_;
  std::uint32_t block_crc_ = 0;
};

// Events with consecutive numbers.
struct LoadedRun {
  EventNumber first = 0;
  BatchPtr batch;
};

// What one large read gave.
struct Loaded {
  std::vector<LoadedRun> runs;
  std::uint64_t next = 0;       // Offset to read on from.
  EventNumber next_number = 0;  // No event behind `next` has a smaller one.
  std::vector<EventRange> damaged_events;
  std::vector<ByteRange> damaged_bytes;
};

// Reads about `bytes`, at least one record, from `from` on; events below `least` were read before
// and are left out. At the end of the records `next` is `end`; at once when the generation's key is
// not there, since a channel opens only when nothing in it is needed. kTransient when the disk
// fails.
Result<Loaded> load_events(const File& file, Generation generation, std::uint64_t from,
                           std::uint64_t end, EventNumber least, std::size_t bytes,
                           SlabPool& slabs);

}  // namespace millrace::file_channel
