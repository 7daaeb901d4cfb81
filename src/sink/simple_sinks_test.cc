// Goal: null takes everything; logger shows an event letter by letter as Flume's does.
#include <gtest/gtest.h>

#include "core/registry.h"
#include "core/testing_services.h"
#include "sink/logger.h"
#include "sink/null.h"

namespace millrace {
namespace {

std::string shown(const testing_kit::TestEvent& event, std::size_t max_bytes = 16) {
  testing_kit::Slabs slabs;
  return describe_event((*slabs.batch_of({event}))[0], max_bytes);
}

// Lines: org.apache.flume.event.EventHelper over Apache Commons' HexDump.
TEST(LoggerSinkTest, ShowsEventsAsFlumeDoes) {
  EXPECT_EQ(shown({"", {}}), "{ headers:{} body: }");
  EXPECT_EQ(shown({"hello", {{"header1", "v1"}, {"header2", "v2"}}}),
            "{ headers:{header2=v2, header1=v1} body: 68 65 6C 6C 6F"
            "                                  hello }");
  EXPECT_EQ(
      shown({"0123456789abcdefXYZ", {}}),
      "{ headers:{} body: 30 31 32 33 34 35 36 37 38 39 61 62 63 64 65 66 0123456789abcdef }");
}

TEST(LoggerSinkTest, ShowsAsMuchAsItIsToldTo) {
  EXPECT_EQ(shown({std::string("0123456789abcdef\x80\n", 18), {}}, 32),
            "{ headers:{} body: 30 31 32 33 34 35 36 37 38 39 61 62 63 64 65 66 0123456789abcdef\n"
            "00000010 80 0A                                           .. }");
  EXPECT_EQ(shown({"hello", {}}, 0), "{ headers:{} body: }");
}

TEST(LoggerSinkTest, LetsNoHeaderForgeALine) {
  EXPECT_EQ(shown({"", {{"host", "a\nb\x1B[31m"}}}), "{ headers:{host=a.b.[31m} body: }");
}

TEST(NullSinkTest, TakesEverything) {
  testing_kit::TestServices test;
  MetricGroup metrics("SINK", "k1");
  NullSink sink({.batch_size = 7, .log_every_n_events = 2}, {"k1", test.services, metrics, false});
  Rejects rejects;
  EXPECT_EQ(sink.batch_size(), 7U);
  EXPECT_TRUE(sink.deliver(*test.slabs.numbered(5), rejects).ok());
  EXPECT_TRUE(sink.flush().ok());
  EXPECT_TRUE(rejects.all().empty());
}

TEST(SinkRegistryTest, KnowsFlumesNames) {
  for (const auto& [name, alias] : {std::pair{"NULL", "null"},
                                    {"org.apache.flume.sink.NullSink", "null"},
                                    {"Logger", "logger"},
                                    {"org.apache.flume.sink.LoggerSink", "logger"},
                                    {"file_roll", "file_roll"},
                                    {"org.apache.flume.sink.RollingFileSink", "file_roll"}}) {
    const auto* entry = SinkRegistry::instance().find(name);
    ASSERT_NE(entry, nullptr) << name;
    EXPECT_EQ(entry->info.alias, alias);
  }
}

}  // namespace
}  // namespace millrace
