// Writes Avro object container files of events.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "core/event_batch.h"
#include "serializer/avro_codec.h"
#include "serializer/avro_container.h"
#include "serializer/raw_buffer.h"

namespace millrace {

struct AvroWriterOptions {
  AvroCodec codec = AvroCodec::kNull;
  // A block ends with the event that brings its raw bytes to this.
  std::size_t sync_interval_bytes = 2'048'000;
  std::string schema{kAvroEventSchema};
};

// Bytes of the file are appended to `out`. Memory: a raw piece of 64 KiB, or the largest event, and
// the packed bytes of the open block. After an error the open block is lost; the writer goes on
// with the next one. Threads: one.
class AvroContainerWriter {
 public:
  explicit AvroContainerWriter(AvroWriterOptions options);

  // The header; `sync_marker` has 16 bytes. Begins a new file, whatever was open before.
  void begin(std::string_view sync_marker, std::string& out);
  // With the schema of events.
  Result<> append(std::span<const EventRef> events, std::string& out);
  // A value of the schema, as Avro writes it.
  Result<> append_value(std::string_view value, std::string& out);
  // Ends the open block, if it has an event.
  Result<> end_block(std::string& out);
  // Forgets the open block.
  void drop_block();

 private:
  void copy_event(const EventRef& event);
  bool block_is_full() const {
    return packed_raw_bytes_ + piece_.size() >= options_.sync_interval_bytes;
  }
  Result<> pack_piece();

  const AvroWriterOptions options_;
  const std::unique_ptr<Compressor> compressor_;
  std::string sync_marker_;
  RawBuffer piece_;                     // Raw bytes of the open block that were not packed yet.
  std::uint64_t packed_raw_bytes_ = 0;  // Raw bytes of the open block that were.
  std::int64_t records_ = 0;            // Of the open block.
};

}  // namespace millrace
