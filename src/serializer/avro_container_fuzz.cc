// Any bytes are read to their end, without a crash, a hang or more memory than the limit allows.
#include "base/check.h"
#include "core/headers.h"
#include "io/fake_file_system.h"
#include "serializer/avro_container_reader.h"
#include "serializer/avro_events.h"

namespace millrace {
namespace {

constexpr std::size_t kBlockLimit = std::size_t{1} << 20;

void read_events(const AvroBlock& block) {
  AvroEvents events(block);
  AvroEvent event;
  for (auto more = events.next(event); more.ok() && *more; more = events.next(event)) {
    CHECK(check_header_block(event.headers).ok());
  }
}

}  // namespace
}  // namespace millrace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace millrace;
  FakeFileSystem files;
  files.put("/f", {reinterpret_cast<const char*>(data), size});
  AvroContainerReader reader = AvroContainerReader::open(files, "/f", {kBlockLimit, true}).value();
  do {
    for (auto block = reader.next_block(); block.ok() && *block; block = reader.next_block()) {
      CHECK(reader.whole_bytes() <= size);
      read_events(**block);
    }
    CHECK(reader.end() != FileEnd::kOpen);
  } while (reader.skip_damage().value());
  return 0;
}
