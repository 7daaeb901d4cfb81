// Goal: no bytes given as a hammer's report crash or hang the reader, and the intervals that it
// takes are in order and inside their range.
#include <cstddef>
#include <cstdint>

#include "base/check.h"
#include "cli/hammer/report.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace millrace;
  const Result<HammerReport> report =
      parse_hammer_report({reinterpret_cast<const char*>(data), size});
  if (report.ok()) {
    for (const FlowReport& flow : report.value().hammers) {
      std::uint64_t from = flow.first;
      for (const Interval& interval : flow.unsettled) {
        CHECK(interval.first >= from && interval.last >= interval.first);
        CHECK(interval.last < flow.next);
        from = interval.last + 1;
      }
    }
  }
  return 0;
}
