// Goal: no line or body that a file may hold crashes the search for a hammer's event.
#include <cstddef>
#include <cstdint>

#include "base/check.h"
#include "cli/hammer/event_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace millrace;
  const auto event = find_hammer_event({reinterpret_cast<const char*>(data), size});
  CHECK(!event || (is_run_id(event->run) && event->number < kNumberLimit));
  return 0;
}
