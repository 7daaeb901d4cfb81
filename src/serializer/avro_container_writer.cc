#include "serializer/avro_container_writer.h"

#include <cstring>
#include <utility>

#include "base/bytes.h"
#include "base/check.h"
#include "serializer/avro_container.h"

namespace millrace {
namespace {

constexpr std::size_t kLengthBytes = 10;  // Most bytes of a varint.

// The size of an event's record at most.
std::size_t bound(const EventRef& event) {
  return std::size_t{event.headers_size} + kLengthBytes + event.body_size;
}

}  // namespace

AvroContainerWriter::AvroContainerWriter(AvroWriterOptions options)
    : options_(std::move(options)),
      compressor_(make_avro_compressor(options_.codec, options_.sync_interval_bytes)) {
  piece_.room(Compressor::kPieceBytes);
}

void AvroContainerWriter::begin(std::string_view sync_marker, std::string& out) {
  CHECK(sync_marker.size() == kAvroSyncBytes);
  sync_marker_ = sync_marker;
  drop_block();
  out += kAvroMagic;
  append_avro_long(out, 2);
  append_avro_bytes(out, "avro.codec");
  append_avro_bytes(out, to_string(options_.codec));
  append_avro_bytes(out, "avro.schema");
  append_avro_bytes(out, options_.schema);
  append_avro_long(out, 0);
  out += sync_marker_;
}

Result<> AvroContainerWriter::append(std::span<const EventRef> events, std::string& out) {
  for (const EventRef& event : events) {
    if (piece_.size() + bound(event) > Compressor::kPieceBytes) [[unlikely]] {
      TRY(pack_piece());
    }
    copy_event(event);
    if (block_is_full()) [[unlikely]] {
      TRY(end_block(out));
    }
  }
  return {};
}

Result<> AvroContainerWriter::append_value(std::string_view value, std::string& out) {
  if (piece_.size() + value.size() > Compressor::kPieceBytes) {
    TRY(pack_piece());
  }
  piece_.append(value);
  ++records_;
  return block_is_full() ? end_block(out) : Result<>();
}

Result<> AvroContainerWriter::end_block(std::string& out) {
  if (records_ == 0) {
    return {};
  }
  TRY(pack_piece());
  Result<std::string_view> block = compressor_->finish();
  if (!block.ok()) {
    drop_block();
    return std::move(block).error();
  }
  append_avro_long(out, records_);
  append_avro_bytes(out, *block);
  out += sync_marker_;
  packed_raw_bytes_ = 0;
  records_ = 0;
  return {};
}

void AvroContainerWriter::drop_block() {
  compressor_->reset();
  piece_.clear();
  packed_raw_bytes_ = 0;
  records_ = 0;
}

// The header block is in Avro map encoding already.
void AvroContainerWriter::copy_event(const EventRef& event) {
  char* const room = piece_.room(bound(event));
  std::memcpy(room, event.headers_data, event.headers_size);
  char* const body = put_avro_long(room + event.headers_size, event.body_size);
  if (event.body_size > 0) {
    std::memcpy(body, event.body_data, event.body_size);
  }
  piece_.take(static_cast<std::size_t>(body + event.body_size - room));
  ++records_;
}

Result<> AvroContainerWriter::pack_piece() {
  if (piece_.empty()) {
    return {};
  }
  Result<> packed = compressor_->add(piece_.view());
  if (!packed.ok()) {
    drop_block();
    return packed;
  }
  packed_raw_bytes_ += piece_.size();
  piece_.clear();
  return {};
}

}  // namespace millrace
