// What the fuzzers of deserializers share: any bytes are a file, which is read to its end.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "core/registry.h"
#include "core/slab.h"
#include "io/fake_file_system.h"

namespace millrace {

struct FuzzedFile {
  std::string_view type;  // Of the deserializer.
  PropertySection keys{};
  std::string charset = "UTF-8";
  DecodeErrors errors = DecodeErrors::kFail;
  std::string_view bytes;
};

// The bodies from `position` on. Checks that positions never go back or beyond the file, and that
// it comes to an end: an event takes a byte at least, but that an Avro record may have none.
inline std::vector<std::string> read_fuzzed(const FuzzedFile& file, std::uint64_t position = 0) {
  ByteBudget budget(std::size_t{256} << 20);
  SlabPool pool(budget);
  BatchSpace space(pool);
  FakeFileSystem files;
  files.put("/f", file.bytes);
  Diagnostics faults;
  const auto deserializer = DeserializerRegistry::instance()
                                .find(file.type)
                                ->prepare(file.keys, faults, common_nested_keys())
                                ->make({space, files.open("/f", OpenMode::kRead).value(), "/f",
                                        position, file.bytes.size(), file.charset, file.errors});
  std::vector<std::string> bodies;
  HeaderEditor headers;
  if (!deserializer->begin(headers).ok()) {
    return bodies;
  }
  for (std::uint64_t before = deserializer->position();;) {
    EventBatch::Builder builder(space);
    const auto read = deserializer->read(builder, 7, kNoHeaders);
    CHECK(deserializer->position() >= before && deserializer->position() <= file.bytes.size());
    before = deserializer->position();
    for (const EventRef& event : builder.events()) {
      bodies.emplace_back(event.body());
    }
    if (!read.ok() || read.value() == EventDeserializer::Read::kEnd) {
      return bodies;
    }
    CHECK(read.value() == EventDeserializer::Read::kEvents);
  }
}

}  // namespace millrace
