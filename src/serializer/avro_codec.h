// The codecs of Avro object container blocks (Avro 1.11 specification, "Object Container Files",
// "Required Codecs" and "Optional Codecs"): deflate is RFC 1951 without a wrapper, snappy has the
// big-endian CRC-32 of the raw bytes behind it. Levels are the defaults of Avro's Java library.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "serializer/raw_buffer.h"

namespace millrace {

enum class AvroCodec { kNull, kDeflate, kSnappy, kBzip2, kZstandard, kXz };

// As the file's metadata key avro.codec spells it.
std::string_view to_string(AvroCodec codec);
std::optional<AvroCodec> avro_codec_named(std::string_view name);

// Packs one block after the other, each given in pieces as they come, so that the raw bytes of a
// block are never all in memory. After an error the block is lost; reset() makes ready for the
// next. Threads: one.
class AvroCompressor {
 public:
  virtual ~AvroCompressor() = default;
  // A piece of the block; most is gained when it has kPieceBytes.
  virtual Result<> add(std::string_view piece) = 0;
  // The whole block, packed; valid until the next call.
  virtual Result<std::string_view> finish() = 0;
  // Forgets the pieces of the block.
  virtual void reset() = 0;

  // Snappy compresses in runs of this size, each on its own.
  static constexpr std::size_t kPieceBytes = std::size_t{64} << 10;
};

// `block_bytes` is about what a block will have at most: it bounds the window of xz.
std::unique_ptr<AvroCompressor> make_avro_compressor(AvroCodec codec, std::size_t block_bytes);

// Replaces what `out` holds by what `packed` stands for. kCorrupt when it is damaged or would be
// more than `limit` bytes; the memory used is about twice the bytes that come out.
Result<> avro_decompress(AvroCodec codec, std::string_view packed, std::size_t limit,
                         RawBuffer& out);

}  // namespace millrace
