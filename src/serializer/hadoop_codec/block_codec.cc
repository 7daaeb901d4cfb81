#include "serializer/hadoop_codec/block_codec.h"

#include <lz4.h>
#include <snappy.h>

#include <algorithm>
#include <climits>
#include <string>

#include "base/bytes.h"

namespace millrace {
namespace {

Error damaged(HadoopCodec codec, std::string_view what) {
  return corrupt(std::string(to_string(codec)) + ": " + std::string(what));
}

// What Hadoop's writers leave of the buffer for bytes that do not get fewer.
std::size_t chunk_bytes(HadoopCodec codec, std::size_t buffer_bytes) {
  const std::size_t overhead =
      codec == HadoopCodec::kSnappy ? buffer_bytes / 6 + 32 : buffer_bytes / 255 + 16;
  return buffer_bytes > overhead ? buffer_bytes - overhead : 1;
}

void write_big(char* at, std::size_t value) {
  const std::uint32_t swapped = __builtin_bswap32(static_cast<std::uint32_t>(value));
  std::memcpy(at, &swapped, sizeof(swapped));
}

class BlockCompressor final : public Compressor {
 public:
  BlockCompressor(HadoopCodec codec, std::size_t buffer_bytes)
      : codec_(codec), chunk_bytes_(chunk_bytes(codec, buffer_bytes)) {}

  // Small pieces share a block; one that does not fit begins another, with as many chunks as it
  // needs.
  Result<> add(std::string_view piece) override {
    if (finished_) {
      reset();
    }
    if (raw_.size() + piece.size() > chunk_bytes_) {
      end_block();
    }
    while (piece.size() > chunk_bytes_) {
      const std::string_view block = piece.substr(0, kMostBlockBytes);
      write_length(block.size());
      for (std::size_t from = 0; from < block.size(); from += chunk_bytes_) {
        write_chunk(block.substr(from, chunk_bytes_));
      }
      piece.remove_prefix(block.size());
    }
    raw_.append(piece);
    return {};
  }
  Result<std::string_view> finish() override {
    if (finished_) {
      reset();
    }
    end_block();
    finished_ = true;
    return packed_.view();
  }
  void reset() override {
    raw_.clear();
    packed_.clear();
    finished_ = false;
  }

 private:
  static constexpr std::size_t kLengthBytes = sizeof(std::uint32_t);
  static constexpr std::size_t kMostBlockBytes = std::size_t{1} << 30;  // Java's int holds it.

  // None without bytes: a block of length 0 is the end of the file to Hadoop's readers.
  void end_block() {
    if (!raw_.empty()) {
      write_length(raw_.size());
      write_chunk(raw_.view());
      raw_.clear();
    }
  }
  void write_length(std::size_t length) {
    write_big(packed_.room(kLengthBytes), length);
    packed_.take(kLengthBytes);
  }
  void write_chunk(std::string_view chunk) {
    char* const room = packed_.room(kLengthBytes + most_packed_bytes(chunk.size()));
    const std::size_t size = pack(chunk, room + kLengthBytes);
    write_big(room, size);
    packed_.take(kLengthBytes + size);
  }
  std::size_t most_packed_bytes(std::size_t raw_bytes) const {
    return codec_ == HadoopCodec::kSnappy
               ? snappy::MaxCompressedLength(raw_bytes)
               : static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(raw_bytes)));
  }
  std::size_t pack(std::string_view raw, char* to) const {
    std::size_t size = 0;
    if (codec_ == HadoopCodec::kSnappy) {
      snappy::RawCompress(raw.data(), raw.size(), to, &size);
    } else {
      size = static_cast<std::size_t>(
          LZ4_compress_default(raw.data(), to, static_cast<int>(raw.size()),
                               LZ4_compressBound(static_cast<int>(raw.size()))));
    }
    return size;
  }

  const HadoopCodec codec_;
  const std::size_t chunk_bytes_;  // Raw bytes of a chunk at most.
  RawBuffer raw_;                  // Of the block that is open.
  RawBuffer packed_;
  bool finished_ = false;
};

}  // namespace

std::unique_ptr<Compressor> make_block_compressor(HadoopCodec codec, std::size_t buffer_bytes) {
  return std::make_unique<BlockCompressor>(codec, std::min<std::size_t>(buffer_bytes, 1 << 30));
}

std::size_t most_raw_bytes(HadoopCodec codec, std::size_t packed_bytes) {
  constexpr std::size_t kLz4Gain = 255;    // A byte of length stands for so many.
  constexpr std::size_t kSnappyGain = 32;  // Three bytes stand for 64.
  return 64 + packed_bytes * (codec == HadoopCodec::kLz4 ? kLz4Gain : kSnappyGain);
}

Result<> unpack_chunk(HadoopCodec codec, std::string_view packed, std::size_t limit,
                      RawBuffer& out) {
  if (packed.size() > INT_MAX) {
    return damaged(codec, "a chunk of more than 2 GiB");
  }
  std::size_t size = std::min<std::size_t>({limit, most_raw_bytes(codec, packed.size()), INT_MAX});
  if (codec == HadoopCodec::kSnappy) {
    std::size_t said = 0;
    if (!snappy::GetUncompressedLength(packed.data(), packed.size(), &said) || said > size ||
        !snappy::RawUncompress(packed.data(), packed.size(), out.room(said))) {
      return damaged(codec, "a damaged chunk");
    }
    size = said;
  } else {
    const int got = LZ4_decompress_safe(packed.data(), out.room(size),
                                        static_cast<int>(packed.size()), static_cast<int>(size));
    if (got < 0) {
      return damaged(codec, "a damaged chunk");
    }
    size = static_cast<std::size_t>(got);
  }
  out.take(size);
  return {};
}

Result<> unpack_blocks(HadoopCodec codec, std::string_view packed, std::size_t limit,
                       RawBuffer& out) {
  ByteReader reader(packed);
  while (!reader.empty()) {
    const std::size_t raw_bytes = TRY(reader.big<std::uint32_t>());
    if (raw_bytes > limit - out.size()) {
      return damaged(codec, "more than " + std::to_string(limit) + " bytes");
    }
    const std::size_t end = out.size() + raw_bytes;
    while (out.size() < end) {
      const std::uint32_t chunk_size = TRY(reader.big<std::uint32_t>());
      const std::size_t before = out.size();
      const std::string_view chunk = TRY(reader.bytes(chunk_size));
      TRY(unpack_chunk(codec, chunk, end - out.size(), out));
      if (out.size() == before) {
        return damaged(codec, "a chunk of no bytes");
      }
    }
  }
  return {};
}

}  // namespace millrace
