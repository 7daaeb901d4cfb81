// Bytes of the file channel's log, version 1, as docs/formats/file-channel.md gives them.
// Integers are little-endian.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "channel/file/event_ranges.h"

namespace millrace::file_channel {

inline constexpr std::uint32_t kFormatVersion = 1;
inline constexpr std::uint64_t kBlock = 4096;  // Groups begin at a multiple of it.
inline constexpr std::uint64_t kRecordAlignment = 8;
inline constexpr std::uint64_t kFirstRecord = kBlock;  // Behind the segment header.

constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

class SegmentKey;

// What the records of one generation of a segment are known by.
struct Generation {
  // NOLINTNEXTLINE(google-explicit-constructor): most are in clear text, and a number says it all.
  Generation(std::uint64_t number_in = 0, const SegmentKey* key_in = nullptr)
      : number(number_in), key(key_in) {}

  std::uint64_t number;   // Repeated in every record; 0 for none.
  const SegmentKey* key;  // Null: not encrypted. Belongs to the segment.
};

// Random, so that two channels never have the same.
struct Id {
  std::array<std::uint8_t, 16> bytes{};

  static Id random();
  std::string to_string() const;  // 32 hexadecimal digits.
  static std::optional<Id> parse(std::string_view hex);
  friend bool operator==(const Id&, const Id&) = default;
};
std::uint64_t random_generation();  // Never 0.

// The first block of a segment; the rest of the block is zeros.
struct SegmentHeader {
  std::array<char, 8> magic{'M', 'R', 'L', 'O', 'G', 'S', 'E', 'G'};
  std::uint32_t version = kFormatVersion;
  std::uint32_t crc = 0;  // CRC-32C of the struct with 0 here.
  Id channel;
  Id directory;
  std::uint64_t generation = 0;           // Repeated in every record.
  std::uint64_t order = 0;                // Counts the segments of the data dir.
  std::uint64_t previous_generation = 0;  // Of the segment before it; 0 for none.
  std::uint64_t previous_end = 0;         // Where that one's records end.
};
static_assert(sizeof(SegmentHeader) == 80);

inline constexpr std::uint32_t kPutMagic = 0x3150524D;  // "MRP1"
inline constexpr std::uint32_t kAckMagic = 0x3141524D;  // "MRA1"

// What every record begins with. The length leaves out the padding to kRecordAlignment.
struct RecordHeader {
  std::uint32_t magic = 0;
  std::uint32_t crc = 0;  // CRC-32C of the bytes behind it, up to the end of the struct.
  std::uint64_t generation = 0;
  std::uint64_t length = 0;         // Bytes, this header included.
  std::uint64_t first = 0;          // Put: number of the first event. Ack: VoidCount::below.
  std::uint32_t entries = 0;        // Put: events. Acknowledgement: ranges.
  std::uint32_t index_crc = 0;      // CRC-32C of the entries, and of the intent.
  std::uint32_t headers_bytes = 0;  // Put: bytes of the header blocks.
  std::uint32_t intent_bytes = 0;   // Acknowledgement: bytes of a sink's intent behind the ranges.
  std::uint64_t dropped = 0;        // Acknowledgement: events dropped since the channel was made.
  std::int64_t time_ms = 0;         // Put: when it was written, since 1970 UTC; 0: not said.
                                    // Ack: VoidCount::numbers.
};
static_assert(sizeof(RecordHeader) == 64);

// An event of a put. Offsets count from the first header block, and from the first body.
struct IndexEntry {
  std::uint32_t body_offset = 0;
  std::uint32_t body_bytes = 0;
  std::uint32_t headers_offset = 0;
  std::uint32_t headers_bytes = 0;
  std::uint32_t crc = 0;  // event_crc() of both.
};
static_assert(sizeof(IndexEntry) == 20);

// A range of an acknowledgement.
struct AckEntry {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
};
static_assert(sizeof(AckEntry) == 16);

// CRC-32C of a header block and the body behind it, begun with a value of its own so that an entry
// of zeros fits no event.
std::uint32_t headers_crc(std::string_view block);
std::uint32_t event_crc(std::uint32_t headers_crc, std::string_view body);

std::string encode_segment_header(SegmentHeader header);  // A whole block; sets the CRC.
// Nothing when these are not the bytes of a segment header, of an encrypted segment too; kConfig
// when a later version wrote it.
Result<std::optional<SegmentHeader>> decode_segment_header(std::string_view block);

void seal_record_header(char* record, std::uint64_t generation);  // Sets generation and CRC.
// The header at the start of `bytes`, when it is whole, of this generation, and its lengths agree
// with one another. The record's bytes behind it are not looked at.
std::optional<RecordHeader> decode_record_header(std::string_view bytes, Generation generation);

}  // namespace millrace::file_channel
