#include <bzlib.h>
#include <lzma.h>
#include <zstd.h>

#include <algorithm>
#include <string>

#include "serializer/compression/decompressor.h"

namespace millrace {
namespace {

constexpr std::size_t kFirstRoom = 64 * 1024;
constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;      // The libraries count in 32 bits.
constexpr std::uint64_t kXzMemory = std::uint64_t{160} << 20;  // Level 9 needs 65 MiB.

Error damaged(std::string_view codec, std::string_view what) {
  return corrupt(std::string(codec) + ": " + std::string(what));
}

// Once the library has a state it is reset for each member, not made anew.
class ZlibDecompressor final : public Decompressor {
 public:
  explicit ZlibDecompressor(ZlibWrapper wrapper) : wrapper_(wrapper) {}
  ~ZlibDecompressor() override { inflateEnd(&stream_); }
  ZlibDecompressor(const ZlibDecompressor&) = delete;
  ZlibDecompressor& operator=(const ZlibDecompressor&) = delete;

  std::string_view name() const override {
    return wrapper_ == ZlibWrapper::kGzip ? "gzip" : "deflate";
  }
  Result<> restart() override {
    const int code =
        made_ ? inflateReset(&stream_) : inflateInit2(&stream_, static_cast<int>(wrapper_));
    made_ = code == Z_OK;
    return made_ ? Result<>() : transient("no memory to inflate");
  }
  Result<bool> step(std::string_view& in, std::span<char> room, std::size_t& used) override {
    const std::size_t given = std::min(in.size(), kMostAtOnce);
    const std::size_t space = std::min(room.size(), kMostAtOnce);
    stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(in.data()));
    stream_.avail_in = static_cast<uInt>(given);
    stream_.next_out = reinterpret_cast<Bytef*>(room.data());
    stream_.avail_out = static_cast<uInt>(space);
    const int code = inflate(&stream_, Z_NO_FLUSH);
    in.remove_prefix(given - stream_.avail_in);
    used = space - stream_.avail_out;
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) {
      return damaged(name(), stream_.msg != nullptr ? stream_.msg : "damaged bytes");
    }
    return code == Z_STREAM_END;
  }

 private:
  const ZlibWrapper wrapper_;
  z_stream stream_{};
  bool made_ = false;
};

class Bzip2Decompressor final : public Decompressor {
 public:
  Bzip2Decompressor() = default;
  ~Bzip2Decompressor() override { BZ2_bzDecompressEnd(&stream_); }
  Bzip2Decompressor(const Bzip2Decompressor&) = delete;
  Bzip2Decompressor& operator=(const Bzip2Decompressor&) = delete;

  std::string_view name() const override { return "bzip2"; }
  Result<> restart() override {
    BZ2_bzDecompressEnd(&stream_);  // Harmless when there is none.
    stream_ = {};
    return BZ2_bzDecompressInit(&stream_, 0, 0) == BZ_OK ? Result<>()
                                                         : transient("no memory for bzip2");
  }
  Result<bool> step(std::string_view& in, std::span<char> room, std::size_t& used) override {
    const std::size_t given = std::min(in.size(), kMostAtOnce);
    const std::size_t space = std::min(room.size(), kMostAtOnce);
    stream_.next_in = const_cast<char*>(in.data());
    stream_.avail_in = static_cast<unsigned>(given);
    stream_.next_out = room.data();
    stream_.avail_out = static_cast<unsigned>(space);
    const int code = BZ2_bzDecompress(&stream_);
    in.remove_prefix(given - stream_.avail_in);
    used = space - stream_.avail_out;
    if (code != BZ_OK && code != BZ_STREAM_END) {
      return damaged(name(), "damaged bytes");
    }
    return code == BZ_STREAM_END;
  }

 private:
  bz_stream stream_{};
};

class ZstandardDecompressor final : public Decompressor {
 public:
  ZstandardDecompressor() : context_(ZSTD_createDCtx(), &ZSTD_freeDCtx) {}

  std::string_view name() const override { return "zstandard"; }
  Result<> restart() override {
    ZSTD_DCtx_reset(context_.get(), ZSTD_reset_session_only);
    return {};
  }
  Result<bool> step(std::string_view& in, std::span<char> room, std::size_t& used) override {
    ZSTD_inBuffer from{in.data(), in.size(), 0};
    ZSTD_outBuffer to{room.data(), room.size(), 0};
    const std::size_t left = ZSTD_decompressStream(context_.get(), &to, &from);
    if (ZSTD_isError(left) != 0) {
      return damaged(name(), ZSTD_getErrorName(left));
    }
    in.remove_prefix(from.pos);
    used = to.pos;
    return left == 0;
  }

 private:
  std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context_;
};

class XzDecompressor final : public Decompressor {
 public:
  XzDecompressor() = default;
  ~XzDecompressor() override { lzma_end(&stream_); }
  XzDecompressor(const XzDecompressor&) = delete;
  XzDecompressor& operator=(const XzDecompressor&) = delete;

  std::string_view name() const override { return "xz"; }
  Result<> restart() override {
    return lzma_stream_decoder(&stream_, kXzMemory, 0) == LZMA_OK ? Result<>()
                                                                  : transient("no memory for xz");
  }
  Result<bool> step(std::string_view& in, std::span<char> room, std::size_t& used) override {
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(in.data());
    stream_.avail_in = in.size();
    stream_.next_out = reinterpret_cast<std::uint8_t*>(room.data());
    stream_.avail_out = room.size();
    const lzma_ret code = lzma_code(&stream_, LZMA_RUN);
    in.remove_prefix(in.size() - stream_.avail_in);
    used = room.size() - stream_.avail_out;
    if (code != LZMA_OK && code != LZMA_STREAM_END && code != LZMA_BUF_ERROR) {
      return damaged(name(), "damaged bytes");
    }
    return code == LZMA_STREAM_END;
  }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
};

// What is out is doubled each time, up to `limit` and a byte, so that one that passes the limit is
// seen. 0 when it did.
std::size_t next_room(const RawBuffer& out, std::size_t limit) {
  const std::size_t size = std::max(kFirstRoom, out.size());
  return out.size() > limit ? 0 : std::min(size, limit + 1 - out.size());
}

}  // namespace

std::unique_ptr<Decompressor> make_zlib_decompressor(ZlibWrapper wrapper) {
  return std::make_unique<ZlibDecompressor>(wrapper);
}
std::unique_ptr<Decompressor> make_bzip2_decompressor() {
  return std::make_unique<Bzip2Decompressor>();
}
std::unique_ptr<Decompressor> make_zstandard_decompressor() {
  return std::make_unique<ZstandardDecompressor>();
}
std::unique_ptr<Decompressor> make_xz_decompressor() {
  return std::make_unique<XzDecompressor>();
}

Result<> unpack_member(Decompressor& codec, std::string_view& packed, std::size_t limit,
                       RawBuffer& out) {
  TRY(codec.restart());
  for (bool ended = false;;) {
    const std::size_t room = next_room(out, limit);
    if (room == 0) {
      return damaged(codec.name(), "more than " + std::to_string(limit) + " bytes");
    }
    if (ended) {
      return {};
    }
    const std::size_t before = packed.size();
    std::size_t used = 0;
    ended = TRY(codec.step(packed, {out.room(room), room}, used));
    out.take(used);
    if (!ended && used == 0 && packed.size() == before) {
      return damaged(codec.name(), "the bytes are cut short");
    }
  }
}

}  // namespace millrace
