// Goal: files of earlier versions of ours, and those of Avro's Java library, are still read, and
// what we write without a codec has not changed by a byte. tests/golden/avro/README.md says what is
// in them.
#include <gtest/gtest.h>

#include "core/headers.h"
#include "serializer/avro_container_reader.h"
#include "serializer/avro_container_writer.h"
#include "serializer/avro_events.h"

namespace millrace {
namespace {

const std::filesystem::path kFolder =
    std::filesystem::path(MILLRACE_SOURCE_DIR) / "tests" / "golden" / "avro";

std::string body_of(int i) {
  return "event " + std::to_string(i) + " " + std::string(static_cast<std::size_t>(i) * 7, 'x');
}

std::string headers_of(int i) {
  const std::string number = std::to_string(i);
  HeaderEditor headers;
  if (i % 2 == 1) {
    headers.set("host", "web-1");
    headers.set("n", number);
  }
  return headers.encode();
}

TEST(AvroGoldenTest, ReadsEveryFile) {
  const std::vector<std::string> names = real_file_system().list(kFolder).value();
  std::size_t files = 0;
  for (const std::string& name : names) {
    if (!name.ends_with(".avro")) {
      continue;
    }
    SCOPED_TRACE(name);
    ++files;
    auto reader = AvroContainerReader::open(real_file_system(), kFolder / name).value();
    int read = 0;
    std::size_t blocks = 0;
    for (auto block = reader.next_block(); block.ok() && *block; block = reader.next_block()) {
      ++blocks;
      AvroEvents events(**block);
      AvroEvent event;
      while (events.next(event).value()) {
        EXPECT_EQ(event.body, body_of(read));
        EXPECT_EQ(event.headers, headers_of(read));
        ++read;
      }
    }
    EXPECT_EQ(read, 10);
    EXPECT_GT(blocks, 1U);
    EXPECT_EQ(reader.end(), FileEnd::kBorder);
  }
  EXPECT_EQ(files, 12U);  // Six codecs, two writers.
}

TEST(AvroGoldenTest, WritesTheSameBytes) {
  AvroContainerWriter writer({AvroCodec::kNull, 128});
  std::string file;
  writer.begin("golden-sync-mark", file);
  for (int i = 0; i < 10; ++i) {
    const std::string body = body_of(i);
    const std::string headers = headers_of(i);
    const EventRef event{body.data(), headers.data(), static_cast<std::uint32_t>(body.size()),
                         static_cast<std::uint32_t>(headers.size())};
    ASSERT_TRUE(writer.append({&event, 1}, file).ok());
  }
  ASSERT_TRUE(writer.end_block(file).ok());
  EXPECT_EQ(file, read_file(real_file_system(), kFolder / "null.avro").value());
}

}  // namespace
}  // namespace millrace
