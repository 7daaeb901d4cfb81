// How Hadoop's Writables lie in bytes (org.apache.hadoop.io.WritableUtils, Text, BytesWritable).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/result.h"

namespace millrace {

// Hadoop's variable-length integer, of 1 to 9 bytes: [-112, 127] is its own byte; else a byte with
// the sign and the count of those that follow, big-endian.
void append_vlong(std::string& out, std::int64_t value);
Result<std::int64_t> read_vlong(ByteReader& reader);
// A length or count: kCorrupt when it is negative.
Result<std::uint64_t> read_vlength(ByteReader& reader);
constexpr std::size_t kMostVlongBytes = 9;
std::size_t vlong_bytes(std::int64_t value);  // That append_vlong() appends.

// Text: a length as vlong, then so many bytes.
void append_hadoop_text(std::string& out, std::string_view text);
Result<std::string_view> read_hadoop_text(ByteReader& reader);

}  // namespace millrace
