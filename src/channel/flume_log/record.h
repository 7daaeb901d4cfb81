// What Flume's log files consist of: records of puts, takes, roll backs and commits.
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "core/headers.h"

namespace millrace::flume_log {

// The first byte of a record.
inline constexpr char kRecordMark = 0x7F;
inline constexpr char kRemovedMark = 0x00;              // Taken out by Flume's fcintegritytool.
inline constexpr char kFill = static_cast<char>(0x80);  // Not written yet.
// The mark, and the payload's length in four bytes, big-endian.
inline constexpr std::uint64_t kFrameBytes = 5;
// From so many bytes of a payload payload_length() can tell how long it is.
inline constexpr std::size_t kPayloadHeadBytes = 64;

// Which put: the number of the log file, and where in it its record begins.
struct Pointer {
  std::uint32_t file = 0;
  std::uint32_t offset = 0;
  friend bool operator==(const Pointer&, const Pointer&) = default;
  friend bool operator<(const Pointer& a, const Pointer& b) {
    return std::pair(a.file, a.offset) < std::pair(b.file, b.offset);
  }
};

// As Flume's queue files hold it.
inline Pointer pointer_of(std::uint64_t packed) {
  return {static_cast<std::uint32_t>(packed >> 32), static_cast<std::uint32_t>(packed)};
}

enum class RecordType : std::uint8_t { kPut = 1, kTake = 2, kRollback = 3, kCommit = 4 };

struct RecordHeader {
  RecordType type = RecordType::kPut;
  std::int64_t transaction = 0;
  std::int64_t order = 0;  // Grows from record to record, over all log files of the channel.
};

// Borrows from the payload.
struct Record {
  RecordHeader header;
  std::string_view body;  // The message of its type, not looked into.
};

// The header that a payload begins with.
Result<RecordHeader> decode_header(std::string_view payload);
// How long the payload that begins so has to be; needs kPayloadHeadBytes of a longer one.
Result<std::uint64_t> payload_length(std::string_view head);
// A whole payload. kCorrupt for anything else.
Result<Record> decode_record(std::string_view payload);

Result<Pointer> decode_take(std::string_view body);
// What is committed: kPut or kTake.
Result<RecordType> decode_commit(std::string_view body);

// Borrows from the record.
struct StoredEvent {
  std::vector<Header> headers;  // In their order; a later one of the same name counts.
  std::string_view body;
};
// Fills `event`, whose vector is used again; kCorrupt also when the body fails its checksum.
Result<> decode_put(std::string_view body, StoredEvent& event);

}  // namespace millrace::flume_log
