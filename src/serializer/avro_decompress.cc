#include <bzlib.h>
#include <lzma.h>
#include <snappy.h>
#include <zlib.h>
#include <zstd.h>

#include <climits>

#include "base/bytes.h"
#include "base/checksum.h"
#include "serializer/avro_codec.h"

namespace millrace {
namespace {

constexpr std::size_t kFirstRoom = 64 * 1024;
constexpr std::uint64_t kXzMemory = std::uint64_t{160} << 20;  // Level 9 needs 65 MiB.

Error damaged(AvroCodec codec, std::string_view what) {
  return corrupt(std::string(to_string(codec)) + ": " + std::string(what));
}

Error too_large(AvroCodec codec, std::size_t limit) {
  return damaged(codec, "the block is larger than " + std::to_string(limit) + " bytes");
}

// Where a streaming codec writes next: what is out is doubled each time, up to `limit` and a byte,
// so that one that passes the limit is seen. Empty when it did.
std::size_t next_room(const RawBuffer& out, std::size_t limit) {
  const std::size_t size = std::max(kFirstRoom, out.size());
  return out.size() > limit ? 0 : std::min(size, limit + 1 - out.size());
}

// Bytes behind the end of the stream are ignored, as Java does: Avro for Python leaves three there.
Result<> inflate_block(std::string_view packed, std::size_t limit, RawBuffer& out) {
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) {
    return transient("no memory to inflate");
  }
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  int code = Z_OK;
  while (code == Z_OK && out.size() <= limit) {
    const std::size_t room = next_room(out, limit);
    stream.next_out = reinterpret_cast<Bytef*>(out.room(room));
    stream.avail_out = static_cast<uInt>(room);
    code = inflate(&stream, Z_NO_FLUSH);
    out.take(room - stream.avail_out);
  }
  inflateEnd(&stream);
  if (out.size() > limit) {
    return too_large(AvroCodec::kDeflate, limit);
  }
  return code == Z_STREAM_END ? Result<>() : damaged(AvroCodec::kDeflate, "damaged bytes");
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

Result<> bunzip2_block(std::string_view packed, std::size_t limit, RawBuffer& out) {
  bz_stream stream{};
  if (BZ2_bzDecompressInit(&stream, 0, 0) != BZ_OK) {
    return transient("no memory for bzip2");
  }
  stream.next_in = const_cast<char*>(packed.data());
  stream.avail_in = static_cast<unsigned>(packed.size());
  int code = BZ_OK;
  bool stuck = false;
  while (code == BZ_OK && out.size() <= limit && !stuck) {
    const std::size_t room = next_room(out, limit);
    stream.next_out = out.room(room);
    stream.avail_out = static_cast<unsigned>(room);
    code = BZ2_bzDecompress(&stream);
    out.take(room - stream.avail_out);
    stuck = stream.avail_in == 0 && stream.avail_out > 0;  // It waits for bytes that never come.
  }
  BZ2_bzDecompressEnd(&stream);
  if (out.size() > limit) {
    return too_large(AvroCodec::kBzip2, limit);
  }
  return code == BZ_STREAM_END ? Result<>() : damaged(AvroCodec::kBzip2, "damaged bytes");
}

// Frames of writers that stream do not tell their size.
Result<> unzstandard_stream(std::string_view packed, std::size_t limit, RawBuffer& out) {
  const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(),
                                                                     &ZSTD_freeDCtx);
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  std::size_t left = 1;  // Zero once a frame is whole.
  bool stuck = false;
  while ((left != 0 || in.pos < in.size) && !stuck) {
    const std::size_t room = next_room(out, limit);
    if (room == 0) {
      return too_large(AvroCodec::kZstandard, limit);
    }
    ZSTD_outBuffer piece{out.room(room), room, 0};
    left = ZSTD_decompressStream(context.get(), &piece, &in);
    if (ZSTD_isError(left) != 0) {
      return damaged(AvroCodec::kZstandard, ZSTD_getErrorName(left));
    }
    out.take(piece.pos);
    stuck = in.pos == in.size && piece.pos < piece.size;
  }
  if (out.size() > limit) {
    return too_large(AvroCodec::kZstandard, limit);
  }
  return left == 0 ? Result<>() : damaged(AvroCodec::kZstandard, "the frame is cut short");
}

Result<> unzstandard_block(std::string_view packed, std::size_t limit, RawBuffer& out) {
  const unsigned long long size = ZSTD_getFrameContentSize(packed.data(), packed.size());
  const std::size_t frame = ZSTD_findFrameCompressedSize(packed.data(), packed.size());
  if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR ||
      frame != packed.size()) {
    return unzstandard_stream(packed, limit, out);
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

Result<> unxz_block(std::string_view packed, std::size_t limit, RawBuffer& out) {
  lzma_stream stream = LZMA_STREAM_INIT;
  if (lzma_stream_decoder(&stream, kXzMemory, 0) != LZMA_OK) {
    return transient("no memory for xz");
  }
  stream.next_in = reinterpret_cast<const std::uint8_t*>(packed.data());
  stream.avail_in = packed.size();
  lzma_ret code = LZMA_OK;
  while (code == LZMA_OK && out.size() <= limit) {
    const std::size_t room = next_room(out, limit);
    stream.next_out = reinterpret_cast<std::uint8_t*>(out.room(room));
    stream.avail_out = room;
    code = lzma_code(&stream, LZMA_FINISH);
    out.take(room - stream.avail_out);
  }
  lzma_end(&stream);
  if (out.size() > limit) {
    return too_large(AvroCodec::kXz, limit);
  }
  return code == LZMA_STREAM_END ? Result<>() : damaged(AvroCodec::kXz, "damaged bytes");
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
      return inflate_block(packed, limit, out);
    case AvroCodec::kSnappy:
      return unsnappy_block(packed, limit, out);
    case AvroCodec::kBzip2:
      return bunzip2_block(packed, limit, out);
    case AvroCodec::kZstandard:
      return unzstandard_block(packed, limit, out);
    case AvroCodec::kXz:
      return unxz_block(packed, limit, out);
  }
  return {};
}

}  // namespace millrace
