// Finds where a line ends, at memory speed.
#pragma once

#include <bit>
#include <cstdint>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace millrace {

// The first '\n' or '\r' of [at, end), or `end`.
inline const char* find_line_end(const char* at, const char* end) {
#ifdef __SSE2__
  const __m128i newline = _mm_set1_epi8('\n');
  const __m128i carriage_return = _mm_set1_epi8('\r');
  const auto matches = [&](const char* from) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    return _mm_or_si128(_mm_cmpeq_epi8(bytes, newline), _mm_cmpeq_epi8(bytes, carriage_return));
  };
  for (; end - at >= 64; at += 64) {
    const __m128i blocks[] = {matches(at), matches(at + 16), matches(at + 32), matches(at + 48)};
    const __m128i any =
        _mm_or_si128(_mm_or_si128(blocks[0], blocks[1]), _mm_or_si128(blocks[2], blocks[3]));
    if (_mm_movemask_epi8(any) != 0) {
      std::uint64_t mask = 0;
      for (int i = 3; i >= 0; --i) {
        mask = mask << 16 | static_cast<std::uint32_t>(_mm_movemask_epi8(blocks[i]));
      }
      return at + std::countr_zero(mask);
    }
  }
  for (; end - at >= 16; at += 16) {
    const auto mask = static_cast<std::uint32_t>(_mm_movemask_epi8(matches(at)));
    if (mask != 0) {
      return at + std::countr_zero(mask);
    }
  }
#endif
  while (at != end && *at != '\n' && *at != '\r') {
    ++at;
  }
  return at;
}

}  // namespace millrace
