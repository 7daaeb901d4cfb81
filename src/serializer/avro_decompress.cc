#include <snappy.h>
#include <zstd.h>

#include <climits>

#include "base/bytes.h"
#include "base/checksum.h"
#include "serializer/avro_codec.h"
#include "serializer/compression/decompressor.h"

namespace millrace {
namespace {

Error damaged(AvroCodec codec, std::string_view what) {
  return corrupt(std::string(to_string(codec)) + ": " + std::string(what));
}

Error too_large(AvroCodec codec, std::size_t limit) {
  return damaged(codec, "the block is larger than " + std::to_string(limit) + " bytes");
}

// Bytes behind the member are ignored, as Java does: Avro for Python leaves three behind deflate's.
Result<> unpack_first(Decompressor& codec, std::string_view packed, std::size_t limit,
                      RawBuffer& out) {
  return unpack_member(codec, packed, limit, out);
}

Result<> unpack_all(Decompressor& codec, std::string_view packed, std::size_t limit,
                    RawBuffer& out) {
  do {
    TRY(unpack_member(codec, packed, limit, out));
  } while (!packed.empty());
  return {};
}

Result<> unsnappy_block(std::string_view packed, std::size_t limit, RawBuffer& out) {
  if (packed.size() < sizeof(std::uint32_t)) {
    return damaged(AvroCodec::kSnappy, "no room for the checksum");
  }
  const std::string_view body = packed.substr(0, packed.size() - sizeof(std::uint32_t));
  ByteReader tail(packed.substr(body.size()));
  const auto expected = TRY(tail.big<std::uint32_t>());
  std::size_t size = 0;
  if (!snappy::GetUncompressedLength(body.data(), body.size(), &size)) {
    return damaged(AvroCodec::kSnappy, "damaged length");
  }
  if (size > limit) {
    return too_large(AvroCodec::kSnappy, limit);
  }
  if (!snappy::RawUncompress(body.data(), body.size(), out.room(size))) {
    return damaged(AvroCodec::kSnappy, "damaged bytes");
  }
  out.take(size);
  return crc32(out.view()) == expected ? Result<>()
                                       : damaged(AvroCodec::kSnappy, "the checksum does not match");
}

// Frames of writers that stream do not tell their size.
Result<> unzstandard_block(std::string_view packed, std::size_t limit, RawBuffer& out) {
  const unsigned long long size = ZSTD_getFrameContentSize(packed.data(), packed.size());
  const std::size_t frame = ZSTD_findFrameCompressedSize(packed.data(), packed.size());
  if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR ||
      frame != packed.size()) {
    return unpack_all(*make_zstandard_decompressor(), packed, limit, out);
  }
  if (size > limit) {
    return too_large(AvroCodec::kZstandard, limit);
  }
  const std::size_t got = ZSTD_decompress(out.room(size), size, packed.data(), packed.size());
  if (ZSTD_isError(got) != 0) {
    return damaged(AvroCodec::kZstandard, ZSTD_getErrorName(got));
  }
  out.take(got);
  return {};
}

}  // namespace

Result<> avro_decompress(AvroCodec codec, std::string_view packed, std::size_t limit,
                         RawBuffer& out) {
  out.clear();
  if (packed.size() > INT_MAX) {
    return too_large(codec, INT_MAX);
  }
  switch (codec) {
    case AvroCodec::kNull:
      if (packed.size() > limit) {
        return too_large(codec, limit);
      }
      out.append(packed);
      return {};
    case AvroCodec::kDeflate:
      return unpack_first(*make_zlib_decompressor(ZlibWrapper::kNone), packed, limit, out);
    case AvroCodec::kSnappy:
      return unsnappy_block(packed, limit, out);
    case AvroCodec::kBzip2:
      return unpack_first(*make_bzip2_decompressor(), packed, limit, out);
    case AvroCodec::kZstandard:
      return unzstandard_block(packed, limit, out);
    case AvroCodec::kXz:
      return unpack_first(*make_xz_decompressor(), packed, limit, out);
  }
  return {};
}

}  // namespace millrace
