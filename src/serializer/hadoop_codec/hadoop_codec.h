// Hadoop's compression codecs (org.apache.hadoop.io.compress), by the names that Flume takes.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "serializer/compression/compressor.h"
#include "serializer/compression/decompressor.h"
#include "serializer/raw_buffer.h"

namespace millrace {

enum class HadoopCodec { kNone, kDefault, kDeflate, kGzip, kBzip2, kSnappy, kLz4, kZstandard };

// "gzip", "GzipCodec", in any case, "org.apache.hadoop.io.compress.GzipCodec"; also "zstd"; "none"
// and the empty name. kConfig, for people, for others.
Result<HadoopCodec> hadoop_codec_named(std::string_view name);
// As hadoop_codec_named() takes it: "Gzip"; "None".
std::string_view to_string(HadoopCodec codec);
// "org.apache.hadoop.io.compress.GzipCodec"; empty for none.
std::string_view class_name(HadoopCodec codec);
// What file names end in: ".gz"; empty for none.
std::string_view default_extension(HadoopCodec codec);
// By the end of a file's name; none for another.
HadoopCodec hadoop_codec_of(std::string_view file_name);

// Snappy and lz4 are framed in blocks; the others are members of a stream.
constexpr bool is_block_codec(HadoopCodec codec) {
  return codec == HadoopCodec::kSnappy || codec == HadoopCodec::kLz4;
}

// io.compression.codec.snappy.buffersize and …lz4.buffersize: what Hadoop's readers have room for.
inline constexpr std::size_t kHadoopBufferBytes = std::size_t{256} << 10;

// Packs a member, or a run of blocks, after the other. Nothing for kNone.
std::unique_ptr<Compressor> make_hadoop_compressor(HadoopCodec codec,
                                                   std::size_t buffer_bytes = kHadoopBufferBytes);
// Nothing for kNone and the block codecs.
std::unique_ptr<Decompressor> make_hadoop_decompressor(HadoopCodec codec);

// Unpacks what is in memory whole. Threads: one.
class HadoopUnpacker {
 public:
  explicit HadoopUnpacker(HadoopCodec codec)
      : codec_(codec), stream_(make_hadoop_decompressor(codec)) {}
  // Replaces what `out` holds by what all of `packed` stands for, in members or blocks. kCorrupt
  // when it is damaged or would be more than `limit` bytes.
  Result<> unpack(std::string_view packed, std::size_t limit, RawBuffer& out);

 private:
  const HadoopCodec codec_;
  const std::unique_ptr<Decompressor> stream_;
};

}  // namespace millrace
