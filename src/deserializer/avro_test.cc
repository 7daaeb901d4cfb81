#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "base/bytes.h"
#include "deserializer/deserializer_fixture.h"
#include "serializer/avro_container.h"

namespace millrace {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kMarker = "0123456789abcdef";
const std::string kGolden = MILLRACE_SOURCE_DIR "/tests/golden/spooldir/";

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string hex(std::string_view bytes) {
  std::ostringstream out;
  for (const char byte : bytes) {
    out << std::hex << ((byte >> 4) & 15) << (byte & 15);
  }
  return out.str();
}

// A file of blocks of texts.
std::string file_of(const std::vector<std::vector<std::string>>& blocks,
                    std::string_view schema = R"("string")") {
  std::string file(kAvroMagic);
  append_avro_long(file, 1);
  append_avro_bytes(file, "avro.schema");
  append_avro_bytes(file, schema);
  append_avro_long(file, 0);
  file += kMarker;
  for (const auto& block : blocks) {
    std::string records;
    for (const std::string& text : block) {
      append_avro_bytes(records, text);
    }
    append_avro_long(file, static_cast<std::int64_t>(block.size()));
    append_avro_bytes(file, records);
    file += kMarker;
  }
  return file;
}

class AvroDeserializerTest : public DeserializerFixture {
 protected:
  AvroDeserializerTest() : DeserializerFixture("AVRO") {}
};

// What Flume's own deserializer made of the same files: bodies, header, the tracker's offsets.
TEST_F(AvroDeserializerTest, GivesTheEventsAndPositionsOfFlume) {
  for (const char* const codec : {"null", "deflate", "snappy"}) {
    SCOPED_TRACE(codec);
    const std::string name = kGolden + "types-" + codec;
    use(text_of(name + ".avro"));
    const auto events = read_all({}, 1);
    EXPECT_EQ(error(), "");
    std::istringstream want(text_of(name + ".events"));
    std::uint64_t position = 0;
    std::string hash;
    std::string body;
    std::size_t compared = 0;
    for (; want >> position >> hash >> body; ++compared) {
      ASSERT_LT(compared, events.size());
      EXPECT_EQ(hex(events[compared].body), body) << compared;
      EXPECT_EQ(events[compared].position, position) << compared;
      EXPECT_THAT(events[compared].headers,
                  ElementsAre(std::pair(std::string("flume.avro.schema.hash"), hash)));
    }
    EXPECT_EQ(compared, 40u);
    EXPECT_EQ(events.size(), compared);
  }
}

// Flume's resetTest: from a position on, the records of the block that it was in come again.
TEST_F(AvroDeserializerTest, GoesOnAtTheBlockItWasIn) {
  const std::string file = file_of({{"1", "2", "3"}, {"4", "5"}, {"6"}});
  use(file);
  const auto events = read_all({}, 1);
  ASSERT_EQ(events.size(), 6u);
  const std::vector<std::size_t> from{0, 0, 3, 3, 5, 6};
  for (std::size_t i = 0; i < events.size(); ++i) {
    use(file, events[i].position);
    EXPECT_EQ(bodies().size(), 6 - from[i]) << i;
    EXPECT_EQ(error(), "");
  }
  use(file, file.size() - 3);  // No marker there: a tracker of another file.
  EXPECT_EQ(bodies().size(), 6u);
}

// Flume's testSchemaHash and testSchemaLiteral.
TEST_F(AvroDeserializerTest, TellsTheSchema) {
  const std::string schema =
      R"({"type":"record","name":"MyRecord","namespace":"org.apache.flume","doc":"","fields":)"
      R"([{"name":"foo","type":"string","doc":""}]})";
  use(file_of({{"bar"}, {"baz"}}, schema));
  auto events = read_all({{"schemaType", "literal"}});
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[1].body, "\6baz");
  EXPECT_THAT(events[1].headers,
              ElementsAre(std::pair(std::string("flume.avro.schema.literal"), schema)));
  events = read_all({{"schemaType", "HASH"}});
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].headers[0].second.size(), 16u);
  EXPECT_EQ(faults({{"schemaType", "URL"}}), 1u);
}

TEST_F(AvroDeserializerTest, AFileWithoutRecordsGivesNone) {
  use(file_of({}));
  EXPECT_THAT(bodies(), ElementsAre());
  EXPECT_EQ(error(), "");
}

TEST_F(AvroDeserializerTest, RefusesWhatIsNoAvroFile) {
  use("line 1\nline 2\n");
  EXPECT_THAT(bodies(), ElementsAre());
  EXPECT_THAT(error(), HasSubstr("not an Avro object container file"));
  use("");
  EXPECT_THAT(bodies(), ElementsAre());
  EXPECT_NE(error(), "");
  use(file_of({{"1"}}, R"({"type":"record"})"));
  EXPECT_THAT(bodies(), ElementsAre());
  EXPECT_THAT(error(), HasSubstr("the schema"));
}

// Goal: of a file that is cut or damaged anywhere the records before come, and it is told; with
// another policy those behind too.
TEST_F(AvroDeserializerTest, GivesWhatIsWholeOfADamagedFile) {
  const std::string whole = file_of({{"1", "2"}, {"3", "4"}, {"5"}});
  const std::size_t head = file_of({}).size();
  for (std::size_t size = head; size < whole.size(); ++size) {
    use(whole.substr(0, size));
    const std::size_t count = bodies().size();
    EXPECT_EQ(count % 2, 0u) << size;
    const bool is_border = size == head || size == file_of({{"1", "2"}}).size() ||
                           size == file_of({{"1", "2"}, {"3", "4"}}).size();
    EXPECT_EQ(error().empty(), is_border) << size << error();
  }
  std::string damaged = whole;
  damaged[file_of({{"1", "2"}}).size() - 1] ^= 1;  // The marker behind the first block.
  use(damaged);
  EXPECT_THAT(bodies(), ElementsAre());
  EXPECT_THAT(error(), HasSubstr("no sync marker"));
  use_policy(DecodeErrors::kIgnore);
  EXPECT_THAT(bodies(), ElementsAre("\0025"));
  EXPECT_EQ(error(), "");
  damaged = whole;
  damaged[head + 2] = '\x7F';  // The length of the first record.
  use(damaged);
  EXPECT_THAT(bodies(), ElementsAre("\0023", "\0024", "\0025"));
  use_policy(DecodeErrors::kFail);
  EXPECT_THAT(bodies(), ElementsAre());
  EXPECT_THAT(error(), HasSubstr("a record of the block at byte"));
}

TEST_F(AvroDeserializerTest, WaitsForMemory) {
  limit_memory(std::size_t{1} << 20);
  use(file_of({{std::string(700'000, 'a'), std::string(700'000, 'b')}}));
  const auto deserializer = make();
  HeaderEditor headers;
  ASSERT_TRUE(deserializer->begin(headers).ok());
  EventBatch::Builder builder(slabs_->space());
  ASSERT_EQ(deserializer->read(builder, 10, kNoHeaders).value(),
            EventDeserializer::Read::kNoMemory);
  EXPECT_EQ(builder.size(), 1u);
  builder.clear();
  (void)slabs_->space().bodies.room(SlabPool::kSlabBytes);  // Lets the slab go.
  ASSERT_EQ(deserializer->read(builder, 10, kNoHeaders).value(), EventDeserializer::Read::kEnd);
  ASSERT_EQ(builder.size(), 1u);
  EXPECT_EQ(builder[0].body().substr(3), std::string(700'000, 'b'));
}

}  // namespace
}  // namespace millrace
