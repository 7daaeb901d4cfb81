// Protocol buffers as bytes, for the messages of the hot path, which are read and written by hand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/result.h"

namespace millrace::hdfs {

constexpr std::size_t kMostVarintBytes = 10;

enum class WireType : std::uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

// A field as it stands: `bytes` of a length-delimited one borrows from what is read, `value` holds
// every other.
struct WireField {
  std::uint32_t number = 0;
  WireType type = WireType::kVarint;
  std::uint64_t value = 0;
  std::string_view bytes;
};

// kCorrupt when the bytes end within it or it is longer than 64 bits.
Result<std::uint64_t> read_varint(ByteReader& in);
// kCorrupt also for groups and unknown wire types.
Result<WireField> read_field(ByteReader& in);

constexpr std::int64_t from_zigzag(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

// Writes at `out`, which has room for kMostVarintBytes; gives the byte behind it.
char* put_varint(char* out, std::uint64_t value);
void append_varint(std::string& out, std::uint64_t value);

}  // namespace millrace::hdfs
