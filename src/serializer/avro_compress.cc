#include <bzlib.h>
#include <lzma.h>
#include <snappy.h>
#include <zlib.h>
#include <zstd.h>

#include <array>
#include <climits>
#include <utility>

#include "base/checksum.h"
#include "serializer/avro_codec.h"

namespace millrace {
namespace {

constexpr std::array<std::pair<AvroCodec, std::string_view>, 6> kNames{{
    {AvroCodec::kNull, "null"},
    {AvroCodec::kDeflate, "deflate"},
    {AvroCodec::kSnappy, "snappy"},
    {AvroCodec::kBzip2, "bzip2"},
    {AvroCodec::kZstandard, "zstandard"},
    {AvroCodec::kXz, "xz"},
}};

constexpr int kBzip2Blocks = 9;        // Of 100 kB each.
constexpr int kZstandardLevel = 3;     // As Avro's Java library has them.
constexpr std::uint32_t kXzLevel = 6;  //

Error failed(AvroCodec codec, const std::string& why) {
  return transient(std::string(to_string(codec)) + " could not compress a block: " + why);
}
Error failed(AvroCodec codec, int code) {
  return failed(codec, "code " + std::to_string(code));
}

Result<> deflate_block(std::string_view raw, RawBuffer& out) {
  z_stream stream{};
  int code =
      deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  if (code != Z_OK) {
    return failed(AvroCodec::kDeflate, code);
  }
  const uLong bound = deflateBound(&stream, raw.size());
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(raw.data()));
  stream.avail_in = static_cast<uInt>(raw.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.room(bound));
  stream.avail_out = static_cast<uInt>(bound);
  code = deflate(&stream, Z_FINISH);
  out.take(stream.total_out);
  deflateEnd(&stream);
  return code == Z_STREAM_END ? Result<>() : failed(AvroCodec::kDeflate, code);
}

Result<> snappy_block(std::string_view raw, RawBuffer& out) {
  std::size_t packed = 0;
  char* room = out.room(snappy::MaxCompressedLength(raw.size()) + sizeof(std::uint32_t));
  snappy::RawCompress(raw.data(), raw.size(), room, &packed);
  const std::uint32_t crc = __builtin_bswap32(crc32(raw));
  std::memcpy(room + packed, &crc, sizeof(crc));
  out.take(packed + sizeof(crc));
  return {};
}

Result<> bzip2_block(std::string_view raw, RawBuffer& out) {
  auto size = static_cast<unsigned>(raw.size() + raw.size() / 100 + 600);  // As its manual bounds.
  const int code = BZ2_bzBuffToBuffCompress(out.room(size), &size, const_cast<char*>(raw.data()),
                                            static_cast<unsigned>(raw.size()), kBzip2Blocks, 0, 0);
  if (code != BZ_OK) {
    return failed(AvroCodec::kBzip2, code);
  }
  out.take(size);
  return {};
}

Result<> zstandard_block(std::string_view raw, RawBuffer& out) {
  const std::size_t bound = ZSTD_compressBound(raw.size());
  const std::size_t size =
      ZSTD_compress(out.room(bound), bound, raw.data(), raw.size(), kZstandardLevel);
  if (ZSTD_isError(size) != 0) {
    return failed(AvroCodec::kZstandard, ZSTD_getErrorName(size));
  }
  out.take(size);
  return {};
}

Result<> xz_block(std::string_view raw, RawBuffer& out) {
  const std::size_t bound = lzma_stream_buffer_bound(raw.size());
  std::size_t size = 0;
  const lzma_ret code = lzma_easy_buffer_encode(
      kXzLevel, LZMA_CHECK_CRC64, nullptr, reinterpret_cast<const std::uint8_t*>(raw.data()),
      raw.size(), reinterpret_cast<std::uint8_t*>(out.room(bound)), &size, bound);
  out.take(size);
  return code == LZMA_OK ? Result<>() : failed(AvroCodec::kXz, code);
}

}  // namespace

std::string_view to_string(AvroCodec codec) {
  return kNames[static_cast<std::size_t>(codec)].second;
}

std::optional<AvroCodec> avro_codec_named(std::string_view name) {
  for (const auto& [codec, known] : kNames) {
    if (known == name) {
      return codec;
    }
  }
  return std::nullopt;
}

Result<> avro_compress(AvroCodec codec, std::string_view raw, RawBuffer& out) {
  if (raw.size() > INT_MAX) {
    return rejected("an Avro block of " + std::to_string(raw.size()) + " bytes");
  }
  switch (codec) {
    case AvroCodec::kNull:
      out.append(raw);
      return {};
    case AvroCodec::kDeflate:
      return deflate_block(raw, out);
    case AvroCodec::kSnappy:
      return snappy_block(raw, out);
    case AvroCodec::kBzip2:
      return bzip2_block(raw, out);
    case AvroCodec::kZstandard:
      return zstandard_block(raw, out);
    case AvroCodec::kXz:
      return xz_block(raw, out);
  }
  return {};
}

}  // namespace millrace
