// Makes the bytes of a group: the records that one write and one sync make durable.
#pragma once

#include <sys/uio.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "channel/file/event_ranges.h"
#include "channel/file/format.h"
#include "channel/file/intents.h"
#include "core/event_batch.h"

namespace millrace::file_channel {

// Bodies and header blocks are written from the slabs where they lie; headers, indexes and short
// pieces are gathered in a buffer that is kept from group to group. Batches that were added must
// live until the pieces are written. Threads: one.
class GroupWriter {
 public:
  // With room for the tags that an encrypted segment needs, or without.
  void clear(bool is_sealed = false);
  // False, and nothing is added, when the batch is beyond what the format can say (4 GiB).
  // `time_ms` as in RecordHeader.
  [[nodiscard]] bool add_put(EventNumber first, const EventBatch& batch, std::int64_t time_ms);
  // `dropped` as in RecordHeader; `voids`: what is known of the numbers of failed puts.
  void add_acknowledgement(std::span<const EventRange> ranges, std::uint64_t dropped,
                           VoidCount voids, const Intents& intents = {});

  bool empty() const { return records_.empty(); }
  std::uint64_t size() const { return round_up(size_, kBlock); }  // Padding included.
  // Where the records lie in the group, in the order of adding.
  std::span<const std::uint64_t> offsets() const { return offsets_; }

  // The group's bytes for a segment of `generation`, behind `prefix` (the segment's header, or
  // nothing), which must live as long as the pieces. May be called again for another segment.
  std::span<const iovec> pieces(std::uint64_t generation, std::string_view prefix);

 private:
  // A run of memory that is written as it is.
  struct Extent {
    const char* begin;
    const char* end;
    std::uint64_t offset;  // In its area.
  };
  // Collects where the header blocks, or the bodies, of one put lie.
  struct Area {
    std::vector<Extent> extents;
    const char* limit = nullptr;  // End of the slab range that the last extent lies in.
    std::size_t range = 0;        // That range's index.
    std::uint64_t size = 0;

    void clear();
    std::uint32_t place(std::string_view bytes, std::span<const SlabRange> ranges);
    void open(std::string_view bytes, std::span<const SlabRange> ranges);
  };
  struct Piece {
    const char* data;  // Null: in the buffer.
    std::uint64_t offset;
    std::uint64_t size;
  };

  char* grow(std::uint64_t bytes);  // Valid until the next call.
  void append(const Area& area);
  void append(std::string_view bytes);
  std::uint64_t start_record(std::uint64_t payload);
  void finish_record(std::uint64_t at, RecordHeader header, std::uint64_t size_before);

  bool is_sealed_ = false;
  std::unique_ptr<char[]> buffer_;
  std::uint64_t buffer_size_ = 0;
  std::uint64_t buffer_capacity_ = 0;
  std::uint64_t size_ = 0;
  std::vector<std::uint64_t> records_;  // Their headers' places in the buffer.
  std::vector<std::uint64_t> offsets_;
  std::vector<Piece> pieces_;
  std::vector<iovec> vectors_;
  std::vector<IndexEntry> index_;
  Area headers_;
  Area bodies_;
};

}  // namespace millrace::file_channel
