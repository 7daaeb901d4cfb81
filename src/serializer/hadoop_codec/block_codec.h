// Hadoop's framing of snappy and lz4 (BlockCompressorStream): blocks of {raw length, chunks}, a
// chunk of {packed length, bytes}; lengths are big-endian, in 4 bytes. A block has as many chunks
// as its raw length needs.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "base/result.h"
#include "serializer/compression/compressor.h"
#include "serializer/hadoop_codec/hadoop_codec.h"

namespace millrace {

// Blocks end where Hadoop's own writer ends them.
std::unique_ptr<Compressor> make_block_compressor(HadoopCodec codec, std::size_t buffer_bytes);

// Most raw bytes that a chunk of so many packed ones is taken to stand for.
std::size_t most_raw_bytes(HadoopCodec codec, std::size_t packed_bytes);
// Appends what one chunk stands for, at most `limit` bytes. kCorrupt when it is damaged or longer.
Result<> unpack_chunk(HadoopCodec codec, std::string_view packed, std::size_t limit,
                      RawBuffer& out);
// Appends what a run of whole blocks stands for.
Result<> unpack_blocks(HadoopCodec codec, std::string_view packed, std::size_t limit,
                       RawBuffer& out);

}  // namespace millrace
