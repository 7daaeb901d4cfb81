// Any bytes are read to their end, without a crash, a hang or more memory than the limit allows.
#include "base/check.h"
#include "serializer/sequence_file/sequence_file_reader.h"

namespace millrace {
namespace {

constexpr std::size_t kLimit = std::size_t{1} << 20;

std::uint64_t pass_all(std::string_view bytes) {
  SequenceFileReader reader = SequenceFileReader::over(source_of(bytes), "/f", {kLimit}).value();
  for (auto more = reader.pass(); more.ok() && *more; more = reader.pass()) {
    CHECK(reader.whole_bytes() <= bytes.size());
  }
  return reader.whole_bytes();
}

}  // namespace
}  // namespace millrace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace millrace;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  SequenceFileReader reader = SequenceFileReader::over(source_of(bytes), "/f", {kLimit}).value();
  SequenceRecord record;
  for (auto more = reader.next(record); more.ok() && *more; more = reader.next(record)) {
    CHECK(record.key.size() + record.value.size() <= 2 * kLimit);
    (void)sequence_value_bytes(reader.header().value_class, record.value);
  }
  CHECK(reader.whole_bytes() <= size);
  CHECK(reader.end() != FileEnd::kOpen || reader.whole_bytes() == size);
  CHECK(pass_all(bytes) >= reader.whole_bytes());
  return 0;
}
