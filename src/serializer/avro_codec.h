// The codecs of Avro object container blocks (Avro 1.11 specification, "Object Container Files",
// "Required Codecs" and "Optional Codecs"): deflate is RFC 1951 without a wrapper, snappy has the
// big-endian CRC-32 of the raw bytes behind it.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "serializer/compression/compressor.h"
#include "serializer/raw_buffer.h"

namespace millrace {

enum class AvroCodec { kNull, kDeflate, kSnappy, kBzip2, kZstandard, kXz };

// As the file's metadata key avro.codec spells it.
std::string_view to_string(AvroCodec codec);
std::optional<AvroCodec> avro_codec_named(std::string_view name);

// `block_bytes` is about what a block will have at most: it bounds the window of xz.
std::unique_ptr<Compressor> make_avro_compressor(AvroCodec codec, std::size_t block_bytes);

// Replaces what `out` holds by what `packed` stands for. kCorrupt when it is damaged or would be
// more than `limit` bytes; the memory used is about twice the bytes that come out.
Result<> avro_decompress(AvroCodec codec, std::string_view packed, std::size_t limit,
                         RawBuffer& out);

}  // namespace millrace
