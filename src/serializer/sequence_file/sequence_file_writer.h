// Writes Hadoop's SequenceFiles of events: keys are LongWritable, values BytesWritable or Text.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "serializer/sequence_file/sequence_file.h"

namespace millrace {

enum class SequenceValue { kWritable, kText };

struct SequenceFileOptions {
  SequenceValue value = SequenceValue::kWritable;
  SequenceCompression compression = SequenceCompression::kNone;
  HadoopCodec codec = HadoopCodec::kNone;  // Another one wherever something is compressed.
  // io.seqfile.compress.blocksize: raw bytes of keys and values that end a block.
  std::size_t block_bytes = 1'000'000;
  std::vector<std::pair<std::string, std::string>> metadata;
};

// Bytes of the file are appended to `out`. Memory: the raw bytes of the open block, and it packed.
// Threads: one.
class SequenceFileWriter {
 public:
  explicit SequenceFileWriter(SequenceFileOptions options);

  // The header; `sync_marker` has 16 bytes. Begins a new file, whatever was open before.
  void begin(std::string_view sync_marker, std::string& out);
  // kRejected for a body that is larger than a record may be.
  Result<> append(std::int64_t key, std::string_view body, std::string& out);
  // Ends the open block; without blocks, a sync marker follows what was appended.
  Result<> sync(std::string& out);
  // Forgets the open block; the file ends, or will be cut, where the last sync() was.
  void drop_open();

  static constexpr std::size_t kMostBodyBytes = std::size_t{1} << 30;  // Java's int holds a record.
  // Raw or packed bytes of records behind which a sync marker comes.
  static constexpr std::size_t kSyncInterval = 102'400;

 private:
  void append_marker(std::string& out);
  void append_value(std::string_view body, std::string& out) const;
  Result<> append_packed_value(std::string_view body, std::string& out);
  void append_to_block(std::int64_t key, std::string_view body);
  Result<> append_packed_part(std::string& part, std::string& out);

  const SequenceFileOptions options_;
  const std::unique_ptr<Compressor> compressor_;
  std::string sync_marker_;
  std::size_t since_marker_ = 0;  // Bytes; without blocks.
  bool records_since_marker_ = false;
  std::string value_;  // Of the record being packed.

  std::int64_t records_ = 0;  // Of the open block, as are these:
  std::string key_lengths_;
  std::string keys_;
  std::string value_lengths_;
  std::string values_;
};

}  // namespace millrace
