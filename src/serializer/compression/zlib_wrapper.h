// What is around the deflated bytes of zlib.
#pragma once

#include <zlib.h>

namespace millrace {

// The values are what zlib calls window bits.
enum class ZlibWrapper {
  kNone = -MAX_WBITS,      // RFC 1951: Avro's deflate.
  kZlib = MAX_WBITS,       // RFC 1950: Hadoop's deflate.
  kGzip = MAX_WBITS + 16,  // RFC 1952.
};

}  // namespace millrace
