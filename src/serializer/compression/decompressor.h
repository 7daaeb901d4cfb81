// The contract of a codec's unpacking side: members (zlib and gzip streams, bzip2 streams, frames
// of zstd, xz streams), of any length, in pieces.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "base/result.h"
#include "serializer/compression/zlib_wrapper.h"
#include "serializer/raw_buffer.h"

namespace millrace {

// Threads: one.
class Decompressor {
 public:
  virtual ~Decompressor() = default;
  // As error messages call it.
  virtual std::string_view name() const = 0;
  // The next step() begins a member. kTransient when there is no memory.
  virtual Result<> restart() = 0;
  // Takes from the front of `in` and writes `used` bytes to `room`, which is not empty. True when
  // the member has ended; what is left of `in` lies behind it. A step that takes and writes nothing
  // wants more of `in`. kCorrupt when it is damaged.
  virtual Result<bool> step(std::string_view& in, std::span<char> room, std::size_t& used) = 0;
};

std::unique_ptr<Decompressor> make_zlib_decompressor(ZlibWrapper wrapper);
std::unique_ptr<Decompressor> make_bzip2_decompressor();
std::unique_ptr<Decompressor> make_zstandard_decompressor();
std::unique_ptr<Decompressor> make_xz_decompressor();

// Appends what the member at the front of `packed` stands for, and takes it from there. kCorrupt
// when it is damaged, cut short, or would make `out` longer than `limit`.
Result<> unpack_member(Decompressor& codec, std::string_view& packed, std::size_t limit,
                       RawBuffer& out);

}  // namespace millrace
