// What reader and writer of Hadoop's SequenceFiles share (org.apache.hadoop.io.SequenceFile,
// version 6). docs/formats/sequence-file.md has it byte by byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "serializer/hadoop_codec/hadoop_codec.h"

namespace millrace {

inline constexpr std::string_view kSequenceFileMagic = "SEQ\x06";
inline constexpr std::size_t kSequenceSyncBytes = 16;
inline constexpr std::uint32_t kSequenceSyncEscape = 0xFFFF'FFFF;  // In place of a length.

inline constexpr std::string_view kLongWritable = "org.apache.hadoop.io.LongWritable";
inline constexpr std::string_view kBytesWritable = "org.apache.hadoop.io.BytesWritable";
inline constexpr std::string_view kHadoopText = "org.apache.hadoop.io.Text";

enum class SequenceCompression {
  kNone,
  kRecord,  // Each value on its own.
  kBlock,   // Runs of records, keys and values apart.
};

struct SequenceFileHeader {
  std::string key_class;
  std::string value_class;
  SequenceCompression compression = SequenceCompression::kNone;
  HadoopCodec codec = HadoopCodec::kNone;
  std::vector<std::pair<std::string, std::string>> metadata;
  std::string sync;  // 16 bytes that no data is likely to hold.
};

// The bytes of an event in a value: those of a BytesWritable or a Text. kCorrupt for another class,
// or when the lengths do not fit.
Result<std::string_view> sequence_value_bytes(std::string_view value_class, std::string_view value);

}  // namespace millrace
