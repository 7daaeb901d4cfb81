#include "cli/channel/event_output.h"

#include <gtest/gtest.h>

#include "core/headers.h"
#include "io/fake_file_system.h"
#include "serializer/avro_container_reader.h"
#include "serializer/avro_events.h"

namespace millrace {
namespace {

std::string headers() {
  HeaderEditor editor;
  editor.set("host", "a\"b");
  editor.set("n", "1");
  return editor.encode();
}

TEST(EventOutput, JsonIsTextWhereTheBodyIs) {
  const std::string block = headers();
  EXPECT_EQ(json_line({7, 1'796'061'662'500, block, "gr\xC3\xBC\xC3\x9F\n"}),
            R"({"number":7,"time":"2026-11-30T18:01:02.500Z","headers":{"host":"a\"b","n":"1"},)"
            "\"body\":\"gr\xC3\xBC\xC3\x9F\\u000a\"}");
  EXPECT_EQ(json_line({0, 0, {}, ""}), R"({"number":0,"time":null,"headers":{},"body":""})");
}

TEST(EventOutput, ABodyThatIsNoTextIsGivenInBase64) {
  using namespace std::string_literals;
  const std::pair<std::string, std::string> cases[] = {{"\xFF", "/w=="},
                                                       {"\xFF\xFE", "//4="},
                                                       {"\xFF\xFE\xFD", "//79"},
                                                       {"\xFF\xFE\xFD\0"s, "//79AA=="}};
  for (const auto& [body, text] : cases) {
    EXPECT_EQ(json_line({1, 0, kNoHeaders, body}),
              R"({"number":1,"time":null,"headers":{},"body":")" + text +
                  R"(","body_encoding":"base64"})");
  }
}

class EventOutputFileTest : public testing::Test {
 protected:
  OutputTarget target() { return OutputTarget::open(files, "/out/events").value(); }
  FakeFileSystem files;
};

// Goal: the file is there whole, or not at all. Method: power is cut before and after finish().
TEST_F(EventOutputFileTest, AFileAppearsOnceItIsDurable) {
  ASSERT_TRUE(files.create_directories("/out").ok());
  for (const bool finished : {false, true}) {
    const std::unique_ptr<EventOutput> output = json_output(target());
    ASSERT_TRUE(output->write({1, 0, {}, "body"}).ok());
    EXPECT_FALSE(files.exists("/out/events"));
    if (finished) {
      ASSERT_TRUE(output->finish().ok());
    }
    files.crash();
    EXPECT_EQ(files.exists("/out/events"), finished);
  }
  EXPECT_EQ(files.text("/out/events"), json_line({1, 0, {}, "body"}) + "\n");
}

TEST_F(EventOutputFileTest, AvroHoldsHeadersAndBody) {
  ASSERT_TRUE(files.create_directories("/out").ok());
  const std::unique_ptr<EventOutput> output = avro_output(target()).value();
  const std::string block = headers();
  ASSERT_TRUE(output->write({1, 0, block, "one"}).ok());
  ASSERT_TRUE(output->write({2, 0, {}, "two"}).ok());
  ASSERT_TRUE(output->finish().ok());
  AvroContainerReader reader = AvroContainerReader::open(files, "/out/events").value();
  const std::optional<AvroBlock> block_read = reader.next_block().value();
  ASSERT_TRUE(block_read);
  AvroEvents events(*block_read);
  AvroEvent event;
  ASSERT_TRUE(events.next(event).value());
  EXPECT_EQ(event.body, "one");
  EXPECT_EQ(HeaderView(event.headers).find("host"), "a\"b");
  ASSERT_TRUE(events.next(event).value());
  EXPECT_EQ(event.body, "two");
  EXPECT_TRUE(HeaderView(event.headers).empty());
  EXPECT_FALSE(events.next(event).value());
}

}  // namespace
}  // namespace millrace
