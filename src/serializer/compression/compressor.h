// The contract of a codec's packing side: one run of raw bytes in, its packed bytes out.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.h"

namespace millrace {

// Packs one run of bytes (a block, a member) after the other, each given in pieces as they come, so
// that the raw bytes of a run are never all in memory. After an error the run is lost; reset()
// makes ready for the next. Threads: one.
class Compressor {
 public:
  virtual ~Compressor() = default;
  // A piece of the run; most is gained when it has kPieceBytes.
  virtual Result<> add(std::string_view piece) = 0;
  // The whole run, packed; valid until the next call.
  virtual Result<std::string_view> finish() = 0;
  // Forgets the pieces of the run.
  virtual void reset() = 0;

  // Snappy compresses in runs of this size, each on its own.
  static constexpr std::size_t kPieceBytes = std::size_t{64} << 10;
};

}  // namespace millrace
