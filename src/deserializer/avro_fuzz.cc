// Any bytes are an Avro file or are refused, whatever the schema in them says: no crash, no hang.
#include "deserializer/fuzz_driver.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace millrace;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  (void)read_fuzzed({.type = "AVRO", .errors = DecodeErrors::kIgnore, .bytes = bytes});
  return 0;
}
