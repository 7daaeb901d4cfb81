// Any bytes are a tracker or are refused: no crash, no hang.
#include "source/spooldir/tracker_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)millrace::parse_tracker({reinterpret_cast<const char*>(data), size});
  return 0;
}
