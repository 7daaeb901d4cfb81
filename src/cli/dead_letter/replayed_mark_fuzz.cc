// Goal: no text given as a mark of replayed letters crashes the reader; what it takes has numbers
// from 1.
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "cli/dead_letter/replayed_mark.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto numbers = millrace::parse_mark(text); numbers.ok()) {
    CHECK(!(*numbers).contains(0));
  }
  return 0;
}
