#include "serializer/compression/stream_compressors.h"

#include <bzlib.h>
#include <lzma.h>
#include <zstd.h>

#include <algorithm>
#include <bit>
#include <string>

#include "serializer/raw_buffer.h"

namespace millrace {
namespace {

constexpr int kBzip2Blocks = 9;  // Of 100 kB each.
constexpr int kZstandardLevel = 3;
constexpr std::uint32_t kXzLevel = 6;

Error failed(const std::string& codec, const std::string& why) {
  return transient(codec + " could not compress: " + why);
}
Error failed(const std::string& codec, int code) {
  return failed(codec, "code " + std::to_string(code));
}

// `Stream` wraps a library's stream: restart() begins a run; step() takes from the front of `in`,
// writes `used` of the `room` bytes at `out`, and says whether the run's end is out, for which it
// is called with `last`.
template <class Stream>
class StreamCompressor final : public Compressor {
 public:
  template <class... Arguments>
  explicit StreamCompressor(Arguments... arguments) : stream_(arguments...) {}

  Result<> add(std::string_view piece) override {
    if (!open_) {
      reset();
      TRY(stream_.restart());
      open_ = true;
    }
    while (!piece.empty()) {
      TRY(step(piece, false));
    }
    return {};
  }
  Result<std::string_view> finish() override {
    if (!open_) {
      TRY(add({}));
    }
    std::string_view nothing;
    while (!TRY(step(nothing, true))) {
    }
    open_ = false;
    return packed_.view();
  }
  void reset() override {
    packed_.clear();
    open_ = false;
  }

 private:
  Result<bool> step(std::string_view& in, bool last) {
    constexpr std::size_t kRoom = kPieceBytes;
    std::size_t used = 0;
    const bool ended = TRY(stream_.step(in, last, packed_.room(kRoom), kRoom, used));
    packed_.take(used);
    return ended;
  }

  Stream stream_;
  RawBuffer packed_;
  bool open_ = false;
};

class DeflateStream {
 public:
  explicit DeflateStream(ZlibWrapper wrapper) : wrapper_(wrapper) {}
  ~DeflateStream() { deflateEnd(&stream_); }
  DeflateStream(const DeflateStream&) = delete;
  DeflateStream& operator=(const DeflateStream&) = delete;

  Result<> restart() {
    const int code = made_ ? deflateReset(&stream_)
                           : deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
                                          static_cast<int>(wrapper_), 8, Z_DEFAULT_STRATEGY);
    made_ = code == Z_OK;
    return made_ ? Result<>() : failed("deflate", code);
  }
  Result<bool> step(std::string_view& in, bool last, char* out, std::size_t room,
                    std::size_t& used) {
    const std::size_t given = std::min<std::size_t>(in.size(), 1 << 30);
    stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(in.data()));
    stream_.avail_in = static_cast<uInt>(given);
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = static_cast<uInt>(room);
    const int code = deflate(&stream_, last ? Z_FINISH : Z_NO_FLUSH);
    in.remove_prefix(given - stream_.avail_in);
    used = room - stream_.avail_out;
    if (code != Z_OK && code != Z_STREAM_END) {
      return failed("deflate", code);
    }
    return code == Z_STREAM_END;
  }

 private:
  const ZlibWrapper wrapper_;
  z_stream stream_{};
  bool made_ = false;
};

class Bzip2Stream {
 public:
  Bzip2Stream() = default;
  ~Bzip2Stream() { BZ2_bzCompressEnd(&stream_); }
  Bzip2Stream(const Bzip2Stream&) = delete;
  Bzip2Stream& operator=(const Bzip2Stream&) = delete;

  Result<> restart() {
    BZ2_bzCompressEnd(&stream_);  // Harmless when there is none.
    stream_ = {};
    const int code = BZ2_bzCompressInit(&stream_, kBzip2Blocks, 0, 0);
    return code == BZ_OK ? Result<>() : failed("bzip2", code);
  }
  Result<bool> step(std::string_view& in, bool last, char* out, std::size_t room,
                    std::size_t& used) {
    const std::size_t given = std::min<std::size_t>(in.size(), 1 << 30);
    stream_.next_in = const_cast<char*>(in.data());
    stream_.avail_in = static_cast<unsigned>(given);
    stream_.next_out = out;
    stream_.avail_out = static_cast<unsigned>(room);
    const int code = BZ2_bzCompress(&stream_, last ? BZ_FINISH : BZ_RUN);
    in.remove_prefix(given - stream_.avail_in);
    used = room - stream_.avail_out;
    if (code != BZ_RUN_OK && code != BZ_FINISH_OK && code != BZ_STREAM_END) {
      return failed("bzip2", code);
    }
    return code == BZ_STREAM_END;
  }

 private:
  bz_stream stream_{};
};

class ZstandardStream {
 public:
  ZstandardStream() : context_(ZSTD_createCCtx(), &ZSTD_freeCCtx) {}

  Result<> restart() {
    ZSTD_CCtx_reset(context_.get(), ZSTD_reset_session_only);
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, kZstandardLevel);
    return {};
  }
  Result<bool> step(std::string_view& in, bool last, char* out, std::size_t room,
                    std::size_t& used) {
    ZSTD_inBuffer from{in.data(), in.size(), 0};
    ZSTD_outBuffer to{out, room, 0};
    const std::size_t left =
        ZSTD_compressStream2(context_.get(), &to, &from, last ? ZSTD_e_end : ZSTD_e_continue);
    if (ZSTD_isError(left) != 0) {
      return failed("zstandard", ZSTD_getErrorName(left));
    }
    in.remove_prefix(from.pos);
    used = to.pos;
    return last && left == 0;
  }

 private:
  std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context_;
};

class XzStream {
 public:
  // A window above the block's size would only cost memory: 11 times its size.
  explicit XzStream(std::size_t block_bytes) {
    lzma_lzma_preset(&options_, kXzLevel);
    const std::uint64_t window = std::bit_ceil(std::max<std::uint64_t>(block_bytes, 64 << 10));
    options_.dict_size =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(window, options_.dict_size));
  }
  ~XzStream() { lzma_end(&stream_); }
  XzStream(const XzStream&) = delete;
  XzStream& operator=(const XzStream&) = delete;

  Result<> restart() {
    const lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options_}, {LZMA_VLI_UNKNOWN, nullptr}};
    const lzma_ret code = lzma_stream_encoder(&stream_, filters, LZMA_CHECK_CRC64);
    return code == LZMA_OK ? Result<>() : failed("xz", code);
  }
  Result<bool> step(std::string_view& in, bool last, char* out, std::size_t room,
                    std::size_t& used) {
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(in.data());
    stream_.avail_in = in.size();
    stream_.next_out = reinterpret_cast<std::uint8_t*>(out);
    stream_.avail_out = room;
    const lzma_ret code = lzma_code(&stream_, last ? LZMA_FINISH : LZMA_RUN);
    in.remove_prefix(in.size() - stream_.avail_in);
    used = room - stream_.avail_out;
    if (code != LZMA_OK && code != LZMA_STREAM_END) {
      return failed("xz", code);
    }
    return code == LZMA_STREAM_END;
  }

 private:
  lzma_options_lzma options_{};
  lzma_stream stream_ = LZMA_STREAM_INIT;
};

}  // namespace

std::unique_ptr<Compressor> make_zlib_compressor(ZlibWrapper wrapper) {
  return std::make_unique<StreamCompressor<DeflateStream>>(wrapper);
}
std::unique_ptr<Compressor> make_bzip2_compressor() {
  return std::make_unique<StreamCompressor<Bzip2Stream>>();
}
std::unique_ptr<Compressor> make_zstandard_compressor() {
  return std::make_unique<StreamCompressor<ZstandardStream>>();
}
std::unique_ptr<Compressor> make_xz_compressor(std::size_t block_bytes) {
  return std::make_unique<StreamCompressor<XzStream>>(block_bytes);
}

}  // namespace millrace
