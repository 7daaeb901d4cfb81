// Any bytes are an intent or are refused; one that is taken is written as it was.
#include "base/check.h"
#include "sink/exactly_once/file_intent.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const auto intent = millrace::decode_file_intent(bytes); intent.ok()) {
    const std::string again = millrace::encode_file_intent(intent.value());
    CHECK(millrace::decode_file_intent(again).value() == intent.value());
  }
  return 0;
}
