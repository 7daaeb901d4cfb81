// Between the two files that make compressors.
#pragma once

#include <cstddef>
#include <memory>

#include "serializer/avro_codec.h"

namespace millrace {

// For the codecs whose libraries work on streams; null for null and snappy.
std::unique_ptr<AvroCompressor> make_stream_compressor(AvroCodec codec, std::size_t block_bytes);

}  // namespace millrace
