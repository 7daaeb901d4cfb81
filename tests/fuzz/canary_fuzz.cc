// Fails on purpose: ./dev fuzz runs it first, to prove that a failure would be seen.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 2 && data[0] == 'e' && data[1] == 'g' && data[2] == 'g') {
    std::abort();
  }
  return 0;
}
