#include "source/syslog/syslog_indexer.h"

#include "source/syslog/syslog_indexer_fixture.h"

namespace millrace {
namespace {

class SyslogIndexerTest : public SyslogIndexerFixture {};

TEST_F(SyslogIndexerTest, NamesTheHeadersAsEachSourceDoes) {
  constexpr std::string_view kLine = "<34>1 2003-10-11T22:14:15.003Z mymachine su - ID47 - x\n";
  EXPECT_EQ(only_event_of(pattern(), kLine).headers, (Headers{{"Facility", "4"},
                                                              {"Severity", "2"},
                                                              {"priority", "34"},
                                                              {"version", "1"},
                                                              {"timestamp", "1065910455003"},
                                                              {"host", "mymachine"}}));
  const Made made = only_event_of(position(), kLine);
  EXPECT_EQ(made.headers, (Headers{{"Facility", "4"},
                                   {"Severity", "2"},
                                   {"Priority", "34"},
                                   {"Version", "1"},
                                   {"timestamp", "1065910455003"},
                                   {"host", "mymachine"}}));
  EXPECT_EQ(made.body, "su - ID47 - x");
}

TEST_F(SyslogIndexerTest, SharesTheHeadersOfLinesWithTheSameHead) {
  const auto made = events_of(pattern(),
                              "<34>Nov  3 22:14:15 h one\n<34>Nov  3 22:14:15 h two\n"
                              "<34>Nov  3 22:14:16 h three\n<34>Nov  3 22:14:16 h \n"
                              "<34>Nov  3 22:14:16 h four\r\n<34>Nov  3 22:14:16 h five\n");
  ASSERT_EQ(made.size(), 6u);
  EXPECT_EQ(blocks_[0], blocks_[1]);
  EXPECT_NE(blocks_[1], blocks_[2]);
  EXPECT_EQ(made[1].body, "two");
  EXPECT_EQ(made[2].headers.at("timestamp"), "1762208056000");
  EXPECT_EQ(made[3].body, "<34>Nov  3 22:14:16 h ");  // No message: the line.
  EXPECT_EQ(made[3].headers.at("host"), "h");
  EXPECT_EQ(made[4].body, "<34>Nov  3 22:14:16 h four\r");
  EXPECT_EQ(made[4].headers, (Headers{{"Facility", "4"}, {"Severity", "2"}}));
  EXPECT_EQ(made[5].body, "five");
}

TEST_F(SyslogIndexerTest, StoresHeadersAnewInEachBatch) {
  SyslogIndexer indexer(pattern());
  indexer.start_read(origin_, 0);
  EventBatch::Builder builder(space_);
  const FramedLine line{"<34>Nov  3 22:14:15 h one"};
  indexer.add(builder, line);
  const BatchPtr first = builder.seal();
  indexer.start_batch();
  indexer.add(builder, line);
  const BatchPtr second = builder.seal();
  EXPECT_NE((*first)[0].headers_data, (*second)[0].headers_data);
  EXPECT_EQ((*first)[0].header_block(), (*second)[0].header_block());
  ASSERT_EQ(second->ranges().size(), 1u);
}

// Flume 1.11, TestSyslogUtils: bad events beside good ones, and testExtractBadEventLarge.
TEST_F(SyslogIndexerTest, MarksBadLinesAndKeepsTheirBytes) {
  const Headers invalid{{"Facility", "0"}, {"Severity", "0"}, {"flume.syslog.status", "Invalid"}};
  const std::string_view stream = "hi guys! <10F> bad bad data\n<10>Good good\n<> bad \xff\n";
  auto made = events_of(pattern(), stream);
  ASSERT_EQ(made.size(), 3u);
  EXPECT_EQ(made[0].headers, invalid);
  EXPECT_EQ(made[0].body, "hi guys! <10F> bad bad data");
  EXPECT_EQ(made[1].headers, (Headers{{"Facility", "1"}, {"Severity", "2"}}));
  EXPECT_EQ(made[1].body, "<10>Good good");
  EXPECT_EQ(made[2].headers, invalid);
  EXPECT_EQ(made[2].body, "<> bad \xff");
  EXPECT_EQ(counts_.invalid, 2u);
  made = events_of(position(), stream);
  EXPECT_EQ(made[0].headers, (Headers{{"flume.syslog.status", "Invalid"}}));
}

TEST_F(SyslogIndexerTest, CutsLinesThatAreTooLong) {
  const auto made = events_of(pattern(), "<10> bad bad data bad bad\n<10> short\n", 10);
  ASSERT_EQ(made.size(), 4u);
  EXPECT_EQ(made[0].body, "<10> bad b");
  EXPECT_EQ(made[0].headers,
            (Headers{{"Facility", "1"}, {"Severity", "2"}, {"flume.syslog.status", "Incomplete"}}));
  EXPECT_EQ(made[1].body, "ad data ba");
  EXPECT_EQ(made[1].headers.at("flume.syslog.status"), "Invalid");
  EXPECT_EQ(made[2].body, "d bad");
  EXPECT_EQ(made[3].body, "<10> short");
  EXPECT_EQ(made[3].headers.at("flume.syslog.status"), "Incomplete");  // Ten bytes, no newline yet.
  EXPECT_EQ(counts_.incomplete, 2u);
  const Made whole = only_event_of(position(), "<34>Nov  3 22:14:15 h text of some length", 30);
  EXPECT_EQ(whole.body, "text of ");
  EXPECT_EQ(whole.headers.at("flume.syslog.status"), "Incomplete");
  EXPECT_EQ(whole.headers.at("host"), "h");
}

// Flume 1.11, TestSyslogUtils, testKeepFields.
TEST_F(SyslogIndexerTest, KeepsTheFieldsThatAreAskedFor) {
  constexpr std::string_view kLine =
      "<10>1 2012-04-13T11:11:11+08:00 ubuntu-11.cloudera.com some msg\n";
  const std::pair<const char*, const char*> examples[] = {
      {"none", "some msg"},
      {"FALSE ", "some msg"},
      {"nothing", "some msg"},
      {"hostname", "ubuntu-11.cloudera.com some msg"},
      {"timestamp hostname", "2012-04-13T11:11:11+08:00 ubuntu-11.cloudera.com some msg"},
      {"timestamp", "2012-04-13T11:11:11+08:00 some msg"},
      {"priority,timestamp,hostname",
       "<10>2012-04-13T11:11:11+08:00 ubuntu-11.cloudera.com some msg"},
      {"priority version timestamp hostname",
       "<10>1 2012-04-13T11:11:11+08:00 ubuntu-11.cloudera.com some msg"},
      {"all", "<10>1 2012-04-13T11:11:11+08:00 ubuntu-11.cloudera.com some msg"},
      {"True", "<10>1 2012-04-13T11:11:11+08:00 ubuntu-11.cloudera.com some msg"},
  };
  for (const auto& [keep, body] : examples) {
    for (const SyslogDialect& dialect : {pattern(keep), position(keep)}) {
      // The second line takes the way of a shared head, where there is one.
      const auto made = events_of(dialect, std::string(kLine) + std::string(kLine));
      ASSERT_EQ(made.size(), 2u);
      EXPECT_EQ(made[0].body, body) << keep;
      EXPECT_EQ(made[1].body, body) << keep;
    }
  }
}

TEST_F(SyslogIndexerTest, AddsTheHeadersOfTheConnection) {
  origin_.add_header("ip", "192.0.2.7");
  origin_.add_header("port", "514");
  const Made made = only_event_of(position(), "<34>Nov  3 22:14:15 h one\n");
  EXPECT_EQ(made.headers.at("ip"), "192.0.2.7");
  EXPECT_EQ(made.headers.at("port"), "514");
  EXPECT_EQ(made.headers.at("host"), "h");
}

TEST_F(SyslogIndexerTest, DoesNotMixUpTheHeadersOfTwoConnections) {
  SyslogOrigin other;
  origin_.add_header("ip", "192.0.2.7");
  other.add_header("ip", "192.0.2.8");
  SyslogIndexer indexer(pattern());
  EventBatch::Builder builder(space_);
  for (const SyslogOrigin* origin : {&origin_, &other, &origin_}) {
    indexer.start_read(*origin, 0);
    indexer.add(builder, {"<34>Nov  3 22:14:15 h one"});
    indexer.add(builder, {"<10> one"});
    indexer.add(builder, {"bad"});
  }
  ASSERT_EQ(builder.size(), 9u);
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_EQ(builder[i].headers().find("ip"), i / 3 == 1 ? "192.0.2.8" : "192.0.2.7");
  }
}

TEST_F(SyslogIndexerTest, GivesLinesWithoutTimeTheTimeOfTheirRead) {
  SyslogIndexer indexer(position());
  EventBatch::Builder builder(space_);
  for (const std::int64_t now : {1000, 2000}) {
    indexer.start_read(origin_, now);
    indexer.add(builder, {"<34>1 - h one"});
  }
  EXPECT_EQ(builder[0].headers().find("timestamp"), "1000");
  EXPECT_EQ(builder[1].headers().find("timestamp"), "2000");
}

// Flume 1.11, TestMultiportSyslogTCPSource, testPortCharsetHandling.
TEST_F(SyslogIndexerTest, ReadsOtherCharsetsAndRefusesWhatIsNotOfThem) {
  ASSERT_TRUE(origin_.set_charset("ISO-8859-1").ok());
  const Made latin = only_event_of(position("hostname"), "<34>Nov  3 22:14:15 h\xfcgo na\xefve\n");
  EXPECT_EQ(latin.headers.at("host"), "h\xc3\xbcgo");
  EXPECT_EQ(latin.body, "h\xfcgo na\xefve");
  EXPECT_FALSE(origin_.set_charset("no such").ok());
  ASSERT_TRUE(origin_.set_charset("US-ASCII").ok());
  const Made bad = only_event_of(position(), "<34>Nov  3 22:14:15 h na\xefve\n");
  EXPECT_EQ(bad.headers, (Headers{{"flume.syslog.status", "Invalid"}}));
  EXPECT_EQ(bad.body, "<34>Nov  3 22:14:15 h na\xefve");
}

}  // namespace
}  // namespace millrace
