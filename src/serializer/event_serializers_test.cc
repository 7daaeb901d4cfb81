// Goal: the texts are Flume's byte by byte, names and keys are Flume's, and a dropped transaction
// leaves nothing in a file.
#include <gtest/gtest.h>

#include "core/registry.h"
#include "core/testing_services.h"
#include "serializer/avro_container_reader.h"
#include "serializer/avro_event.h"
#include "serializer/avro_events.h"
#include "serializer/header_and_text.h"
#include "serializer/java_map_text.h"
#include "serializer/text.h"

namespace millrace {
namespace {

using testing_kit::HeaderList;
using testing_kit::Slabs;

std::string map_text(const HeaderList& headers) {
  HeaderEditor editor;
  for (const auto& [key, value] : headers) {
    editor.set(key, value);
  }
  std::string text;
  append_java_map_text(HeaderView(editor.encode()), text);
  return text;
}

template <class Serializer>
std::string serialize(const typename Serializer::Config& config, const BatchPtr& batch) {
  static testing_kit::TestServices test;
  Serializer serializer(config, SerializerContext{test.services});
  std::string out;
  EXPECT_TRUE(serializer.begin(out).ok());
  EXPECT_TRUE(serializer.append(*batch, out).ok());
  EXPECT_TRUE(serializer.flush(out).ok());
  EXPECT_TRUE(serializer.end(out).ok());
  return out;
}

std::string warnings_of(const PropertySection& keys) {
  Diagnostics findings;
  EXPECT_TRUE(bind<AvroEventConfig>(keys, findings).has_value());
  return findings.to_string();
}

// Values: the JDK's String.hashCode().
TEST(JavaMapTextTest, HashesAsJavaDoes) {
  EXPECT_EQ(java_string_hash(""), 0U);
  EXPECT_EQ(java_string_hash("header1"), 795'307'844U);
  EXPECT_EQ(java_string_hash("\xC3\xA9"), 233U);                            // U+00E9
  EXPECT_EQ(java_string_hash("\xF0\x9F\x98\x80"), 0xD83DU * 31 + 0xDE00U);  // U+1F600
  EXPECT_EQ(java_string_hash("\xFF"), 0xFFFDU);
  EXPECT_EQ(java_string_hash("\xE2\x82"), 0xFFFDU);
}

TEST(JavaMapTextTest, PrintsInTheOrderOfAHashMap) {
  EXPECT_EQ(map_text({}), "{}");
  EXPECT_EQ(map_text({{"header1", "value1"}, {"header2", "value2"}}),
            "{header2=value2, header1=value1}");
  EXPECT_EQ(map_text({{"host", "h"},
                      {"timestamp", "t"},
                      {"Facility", "F"},
                      {"Severity", "S"},
                      {"priority", "p"},
                      {"category", "c"},
                      {"flume.syslog.status", "f"}}),
            "{flume.syslog.status=f, host=h, Severity=S, Facility=F, priority=p, category=c, "
            "timestamp=t}");
  // The first two have the same hash.
  EXPECT_EQ(map_text({{"Aa", "1"},
                      {"BB", "2"},
                      {"C#", "3"},
                      {"\xC3\xA9t\xC3\xA9", "4"},
                      {"\xF0\x9F\x98\x80", "5"}}),
            "{Aa=1, BB=2, C#=3, \xF0\x9F\x98\x80=5, \xC3\xA9t\xC3\xA9=4}");
  EXPECT_EQ(map_text({{"BB", "2"}, {"Aa", "1"}}), "{BB=2, Aa=1}");
}

TEST(JavaMapTextTest, GrowsItsTableAsAHashMapDoes) {
  const std::pair<int, std::uint32_t> known[] = {// The text's own hash, by a JDK.
                                                 {12, -662'511'758U}, {13, -1'200'535'856U},
                                                 {24, 70'144'322U},   {25, -28'364'816U},
                                                 {48, -943'002'090U}, {49, -573'332'025U}};
  for (const auto& [count, hash] : known) {
    HeaderList headers;
    for (int i = 0; i < count; ++i) {
      headers.emplace_back("k" + std::to_string(i * 37), "");
    }
    EXPECT_EQ(java_string_hash(map_text(headers)), hash) << count;
  }
}

TEST(JavaMapTextTest, AKeyKeepsItsPlaceAndItsLastValueCounts) {
  const std::string_view block(
      "\x06\x02"
      "b\x02"
      "1\x02"
      "a\x02"
      "2\x02"
      "b\x02"
      "3\0",
      14);
  std::string text;
  append_java_map_text(HeaderView(block), text);
  EXPECT_EQ(text, "{a=2, b=3}");
}

TEST(TextSerializerTest, WritesBodies) {
  Slabs slabs;
  const BatchPtr batch = slabs.batch_of({{"one", {{"k", "v"}}}, {"", {}}, {"two\n", {}}});
  EXPECT_EQ(serialize<TextSerializer>({}, batch), "one\n\ntwo\n\n");
  EXPECT_EQ(serialize<TextSerializer>({.append_newline = false}, batch), "onetwo\n");
}

TEST(HeaderAndTextSerializerTest, WritesHeadersAndBodies) {
  Slabs slabs;
  const BatchPtr batch =
      slabs.batch_of({{"one", {{"header1", "value1"}, {"header2", "value2"}}}, {"two", {}}});
  EXPECT_EQ(serialize<HeaderAndTextSerializer>({}, batch),
            "{header2=value2, header1=value1} one\n{} two\n");
  EXPECT_EQ(serialize<HeaderAndTextSerializer>({.append_newline = false}, batch),
            "{header2=value2, header1=value1} one{} two");
}

TEST(AvroEventSerializerTest, WritesAContainerOfEvents) {
  Slabs slabs;
  const BatchPtr batch = slabs.batch_of({{"one", {{"k", "v"}}}, {"two", {}}});
  FakeFileSystem files;
  files.put("/f", serialize<AvroEventSerializer>({.compression_codec = "snappy"}, batch));
  AvroContainerReader reader = AvroContainerReader::open(files, "/f").value();
  EXPECT_EQ(reader.codec(), AvroCodec::kSnappy);
  const AvroBlock block = *reader.next_block().value();
  AvroEvents events(block);
  AvroEvent event;
  ASSERT_TRUE(events.next(event).value());
  EXPECT_EQ(event.body, "one");
  EXPECT_EQ(HeaderView(event.headers).find("k"), "v");
  ASSERT_TRUE(events.next(event).value());
  EXPECT_EQ(event.body, "two");
  EXPECT_FALSE(events.next(event).value());
  EXPECT_FALSE(reader.next_block().value().has_value());
}

TEST(AvroEventSerializerTest, AnUnknownCodecMeansNoneWithAWarning) {
  EXPECT_EQ(warnings_of({{"compressionCodec", "snappy"}, {"syncIntervalBytes", "4096"}}), "");
  EXPECT_NE(warnings_of({{"compressionCodec", "lzo"}}).find("nothing is compressed"),
            std::string::npos);
}

TEST(SerializerRegistryTest, KnowsFlumesNames) {
  const auto alias = [](std::string_view type) {
    const auto* entry = SerializerRegistry::instance().find(type);
    return entry == nullptr ? "" : entry->info.alias;
  };
  const std::string package = "org.apache.flume.serialization.";
  EXPECT_EQ(alias("text"), "TEXT");
  EXPECT_EQ(alias("Header_And_Text"), "HEADER_AND_TEXT");
  EXPECT_EQ(alias("avro_event"), "AVRO_EVENT");
  EXPECT_EQ(alias(package + "BodyTextEventSerializer$Builder"), "TEXT");
  EXPECT_EQ(alias(package + "HeaderAndBodyTextEventSerializer$Builder"), "HEADER_AND_TEXT");
  EXPECT_EQ(alias(package + "FlumeEventAvroEventSerializer$Builder"), "AVRO_EVENT");
  EXPECT_EQ(alias("no.such.Serializer"), "");
}

}  // namespace
}  // namespace millrace
