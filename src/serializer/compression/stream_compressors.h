// The codecs whose libraries work on streams, packing. Levels are the defaults of Java's libraries,
// Avro's and Hadoop's, which are the same.
#pragma once

#include <cstddef>
#include <memory>

#include "serializer/compression/compressor.h"
#include "serializer/compression/zlib_wrapper.h"

namespace millrace {

std::unique_ptr<Compressor> make_zlib_compressor(ZlibWrapper wrapper);
std::unique_ptr<Compressor> make_bzip2_compressor();
// Frames do not tell their raw size.
std::unique_ptr<Compressor> make_zstandard_compressor();
// `block_bytes` is about what a run will have at most: a larger window would only cost memory.
std::unique_ptr<Compressor> make_xz_compressor(std::size_t block_bytes);

}  // namespace millrace
