#include <snappy.h>

#include <array>
#include <string>
#include <utility>

#include "base/checksum.h"
#include "serializer/avro_codec.h"
#include "serializer/compression/stream_compressors.h"

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

class NullCompressor final : public Compressor {
 public:
  Result<> add(std::string_view piece) override {
    if (finished_) {
      reset();
    }
    packed_.append(piece);
    return {};
  }
  Result<std::string_view> finish() override {
    finished_ = true;
    return packed_.view();
  }
  void reset() override {
    packed_.clear();
    finished_ = false;
  }

 private:
  RawBuffer packed_;
  bool finished_ = false;
};

// A snappy stream is its length, as a varint, and runs of up to 64 KiB that never refer to each
// other: those of the pieces, one behind the other, are those of the whole.
class SnappyCompressor final : public Compressor {
 public:
  Result<> add(std::string_view piece) override {
    if (raw_bytes_ == 0) {
      reset();
    }
    char* const room = packed_.room(snappy::MaxCompressedLength(piece.size()));
    std::size_t size = 0;
    snappy::RawCompress(piece.data(), piece.size(), room, &size);
    std::size_t length_bytes = 1;
    while (static_cast<unsigned char>(room[length_bytes - 1]) > 127) {
      ++length_bytes;
    }
    std::memmove(room, room + length_bytes, size - length_bytes);
    packed_.take(size - length_bytes);
    raw_bytes_ += piece.size();
    crc_ = crc32(piece, crc_);
    return {};
  }

  Result<std::string_view> finish() override {
    if (raw_bytes_ == 0) {
      reset();
    }
    if (raw_bytes_ > UINT32_MAX) {
      return transient("snappy: a block of more than 4 GiB");
    }
    const std::uint32_t crc = __builtin_bswap32(crc_);
    packed_.append({reinterpret_cast<const char*>(&crc), sizeof(crc)});
    char length[kLengthRoom];
    std::size_t used = 0;
    for (std::uint64_t left = raw_bytes_; used == 0 || left > 0; left >>= 7) {
      length[used++] = static_cast<char>((left & 127) | (left > 127 ? 128 : 0));
    }
    packed_.overwrite(kLengthRoom - used, {length, used});
    raw_bytes_ = 0;
    return packed_.view().substr(kLengthRoom - used);
  }

  void reset() override {
    packed_.clear();
    packed_.room(kLengthRoom);
    packed_.take(kLengthRoom);
    raw_bytes_ = 0;
    crc_ = 0;
  }

 private:
  static constexpr std::size_t kLengthRoom = 5;  // In front, for the length of the whole.
  RawBuffer packed_;
  std::uint64_t raw_bytes_ = 0;  // Of the block that is open; 0 = none is.
  std::uint32_t crc_ = 0;
};

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

std::unique_ptr<Compressor> make_avro_compressor(AvroCodec codec, std::size_t block_bytes) {
  switch (codec) {
    case AvroCodec::kDeflate:
      return make_zlib_compressor(ZlibWrapper::kNone);
    case AvroCodec::kSnappy:
      return std::make_unique<SnappyCompressor>();
    case AvroCodec::kBzip2:
      return make_bzip2_compressor();
    case AvroCodec::kZstandard:
      return make_zstandard_compressor();
    case AvroCodec::kXz:
      return make_xz_compressor(block_bytes);
    case AvroCodec::kNull:
      break;
  }
  return std::make_unique<NullCompressor>();
}

}  // namespace millrace
