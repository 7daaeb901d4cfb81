#include "source/syslog/syslog_parser.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <random>

namespace millrace {
namespace {

constexpr std::int64_t kNow = 1'764'500'000'000;  // 2025-11-30T10:53:20Z

// Runs the test in another zone than the machine's.
class ZoneGuard {
 public:
  explicit ZoneGuard(const char* zone) {
    setenv("TZ", zone, 1);
    tzset();
  }
  ~ZoneGuard() {
    unsetenv("TZ");
    tzset();
  }
};

class SyslogParserTest : public testing::Test {
 protected:
  SyslogParserTest() {
    local_.set_now(kNow);
    utc_.set_now(kNow);
  }
  SyslogMessage by_pattern(std::string_view line) { return parse_by_pattern(line, local_); }
  SyslogMessage by_position(std::string_view line) { return parse_by_position(line, utc_); }

  SyslogTime local_{SyslogZone::kLocal};
  SyslogTime utc_{SyslogZone::kUtc};
};

// Flume 1.11, TestSyslogUtils, TestHeader0 to 8 and 11; zones count with a fraction too.
TEST_F(SyslogParserTest, PatternReadsTheFormsOfRfc5424) {
  struct Example {
    const char* head;
    std::int64_t ms;
  };
  const Example examples[] = {
      {"<10>2012-04-13T11:11:11+08:00", 1334286671000},
      {"<10>1 2012-04-13T11:11:11Z", 1334315471000},
      {"<10>1 2012-04-13T11:11:11+08:00", 1334286671000},
      {"<10>1 2012-04-13T11:11:11.999Z", 1334315471999},
      {"<10>2014-10-03T17:20:01.123456-07:00", 1412382001123},
      {"<10>1 2026-01-05T10:22:33.500+05:30", 1767588753500},
      {"<10>1 2026-01-05T10:22:33-03:30", 1767621153000},
      {"<10>12012-04-13T11:11:11Z", 1334315471000},
  };
  for (const Example& example : examples) {
    const std::string line = std::string(example.head) + " ubuntu-11.cloudera.com some msg";
    const SyslogMessage message = by_pattern(line);
    ASSERT_EQ(message.form, SyslogForm::kWhole) << line;
    EXPECT_EQ(message.priority, 10);
    EXPECT_EQ(message.timestamp_ms, example.ms) << line;
    EXPECT_EQ(message.host_text, "ubuntu-11.cloudera.com");
    EXPECT_EQ(message.text, "some msg");
    EXPECT_EQ(message.head_size, line.size() - 8);
  }
}

TEST_F(SyslogParserTest, PatternTakesDashesForNothing) {
  const SyslogMessage no_time = by_pattern("<10>1 - host some msg");
  EXPECT_EQ(no_time.form, SyslogForm::kWhole);
  EXPECT_FALSE(no_time.timestamp_ms.has_value());
  const SyslogMessage no_host = by_pattern("<10>1 2012-04-13T11:11:11Z - some msg");
  EXPECT_EQ(no_host.form, SyslogForm::kWhole);
  EXPECT_FALSE(no_host.has_host);
  EXPECT_EQ(no_host.text, "some msg");
}

TEST_F(SyslogParserTest, PatternReadsTimesWithoutZoneInTheAgentsZone) {
  const ZoneGuard zone("America/New_York");
  SyslogTime time(SyslogZone::kLocal);
  time.set_now(kNow);
  const auto message = parse_by_pattern("<10>1 2012-04-13T11:11:11 host m", time);
  EXPECT_EQ(message.timestamp_ms, 1334329871000);
  EXPECT_EQ(parse_by_pattern("<10>Nov 30 01:00:00 host m", time).timestamp_ms, 1764482400000);
}

TEST_F(SyslogParserTest, PatternReadsRfc3164WithOneOrTwoBlanks) {
  for (const char* line : {"<34>Nov  3 22:14:15 mymachine su: 'su root' failed",
                           "<34>Nov 3 22:14:15 mymachine su: 'su root' failed",
                           "<34>1 Nov 03 22:14:15 mymachine su: 'su root' failed"}) {
    const SyslogMessage message = by_pattern(line);
    ASSERT_EQ(message.form, SyslogForm::kWhole) << line;
    EXPECT_EQ(message.timestamp_ms, 1762208055000) << line;
    EXPECT_EQ(message.host_text, "mymachine");
    EXPECT_EQ(message.text, "su: 'su root' failed");
  }
  EXPECT_EQ(by_pattern("<10>Nov  3 22:14:15 h - x [07/Jun/2012:14:46:44 -0600]").text,
            "- x [07/Jun/2012:14:46:44 -0600]");
}

// Flume 1.11, TestSyslogUtils, testExtractBadEvent1 to 4.
TEST_F(SyslogParserTest, PatternRefusesBadPriorities) {
  for (const char* line : {"<10F> bad bad data", "hi guys! <10> bad bad data", "<> bad bad data",
                           "<123123123123> bad", "<1234> x", "<10", "<", "<-1> x"}) {
    EXPECT_EQ(by_pattern(line).form, SyslogForm::kMalformed) << line;
  }
}

TEST_F(SyslogParserTest, PatternKeepsThePriorityOfWhatItDoesNotKnow) {
  for (const char* line :
       {"<10>Good good good data", "<10>", "<10>1 2012-04-13T11:11:11Z host",
        "<10>1 2012-04-13T11:11:11.1234567Z host m", "<10>1 2012-04-13T11:11:11Z host m\r",
        "<10>1 2012-04-13T11:11:11Z #host m", "<10>1  2012-04-13T11:11:11Z host m",
        "<10>Nov  3 22:14:15 - text", "<10>1 2012-04-13T11:11:11+0800 host m"}) {
    const SyslogMessage message = by_pattern(line);
    EXPECT_EQ(message.form, SyslogForm::kPriority) << line;
    EXPECT_EQ(message.priority, 10) << line;
  }
}

// Flume 1.11, TestSyslogUtils, testRfc3164Dates; the same for both rule sets (there the second one
// was wrong).
TEST_F(SyslogParserTest, GivesRfc3164TimesTheNearestYear) {
  constexpr std::int64_t kDay = 86'400'000;
  const ZoneGuard zone("UTC");
  for (int month = 0; month <= 13; ++month) {
    const std::int64_t now = kNow + month * 30 * kDay;
    local_.set_now(now);
    utc_.set_now(now);
    for (int days = -330; days <= 27; ++days) {
      const std::int64_t want = now + days * kDay;
      const std::time_t seconds = want / 1000;
      char text[64];
      std::strftime(text, sizeof text, "<10>%b %e %H:%M:%S host m", std::gmtime(&seconds));
      EXPECT_EQ(by_pattern(text).timestamp_ms, want) << text << " at " << now;
      EXPECT_EQ(by_position(text).timestamp_ms, want) << text << " at " << now;
    }
  }
}

// Flume 1.11, TestSyslogParser, testRfc5424DateParsing.
TEST_F(SyslogParserTest, PositionReadsTimesToTheMillisecond) {
  struct Example {
    const char* time;
    std::int64_t ms;
  };
  const Example examples[] = {
      {"1985-04-12T23:20:50.52Z", 482196050520},
      {"1985-04-12T19:20:50.52-04:00", 482196050520},
      {"2003-10-11T22:14:15.003Z", 1065910455003},
      {"2003-08-24T05:14:15.000003-07:00", 1061727255000},
      {"2012-04-13T11:11:11-08:00", 1334344271000},
      {"2012-04-13T08:08:08.0001+00:00", 1334304488000},
      {"2012-04-13T08:08:08.251+00:00", 1334304488251},
      {"2012-04-13T08:08:08", 1334304488000},
  };
  for (const Example& example : examples) {
    const std::string line = std::string("<165>1 ") + example.time + " host text";
    const SyslogMessage message = by_position(line);
    ASSERT_EQ(message.form, SyslogForm::kWhole) << line;
    EXPECT_EQ(message.timestamp_ms, example.ms) << line;
    EXPECT_EQ(message.version, "1");
    EXPECT_EQ(message.text, "text");
  }
}

// Flume 1.11, TestSyslogParser, testMessageParsing.
TEST_F(SyslogParserTest, PositionReadsTheExamplesOfTheRfcs) {
  struct Example {
    const char* line;
    const char* host;
  };
  const Example examples[] = {
      {"<34>Oct 11 22:14:15 mymachine su: 'su root' failed", "mymachine"},
      {"<13>Feb  5 17:32:18 10.0.0.99 Use the BFG!", "10.0.0.99"},
      {"<165>Aug 24 05:34:00 CST 1987 mymachine myproc[10]: %% It's", "CST"},
      {"<0>Oct 22 10:52:12 scapegoat 1990 Oct 22 10:52:01 TZ-6 scapegoat.dmz.example.org 10.1.2.3 "
       "sched[0]: That's All Folks!",
       "scapegoat"},
      {"<34>1 2003-10-11T22:14:15.003Z mymachine.example.com su - ID47 - BOM'su root'",
       "mymachine.example.com"},
      {"<165>1 2003-08-24T05:14:15.000003-07:00 192.0.2.1 myproc 8710 - - %% It's", "192.0.2.1"},
      {"<13>2003-08-24T05:14:15Z localhost snarf?", "localhost"},
      {"<13>2012-08-16T14:34:03-08:00 127.0.0.1 test shnap!", "127.0.0.1"},
  };
  for (const Example& example : examples) {
    const SyslogMessage message = by_position(example.line);
    EXPECT_EQ(message.form, SyslogForm::kWhole) << example.line;
    EXPECT_EQ(message.host_text, example.host);
  }
}

TEST_F(SyslogParserTest, PositionRefusesWhatHasNoHostOrTime) {
  for (const char* line :
       {"", "<", "<>x", "<13>", "<1234567>Feb  5 17:32:18 h m", "<13>-", "<13>- host",
        "<13>Feb  5 17:32:18 host", "<13>Feb  5", "<13>2003-08-24 host m", "<13>1 2003-08-24T05:14",
        "<13>2003-13-24T05:14:15Z h m", "<13>2003-08-24T05:14:15.Z h m",
        "<13>2003-08-24T05:14:15+0800 h m", "no priority"}) {
    EXPECT_EQ(by_position(line).form, SyslogForm::kMalformed) << line;
  }
  EXPECT_EQ(by_position("<13>Xyz  5 17:32:18 host m").timestamp_ms, 0);
  EXPECT_EQ(by_position("<13>1 - host m").timestamp_ms, kNow);
  EXPECT_TRUE(by_position("<13>1 - host m").depends_on_now);
}

TEST_F(SyslogParserTest, ConvertsDatesLikeTheCLibrary) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  const ZoneGuard zone("UTC");
  for (int i = 0; i < 10'000; ++i) {
    const auto pick = [&](int low, int high) {
      return std::uniform_int_distribution<int>(low, high)(random);
    };
    const CivilTime time{pick(0, 9999), pick(0, 99), pick(0, 99),
                         pick(0, 99),   pick(0, 99), pick(0, 99)};
    std::tm parts{};
    parts.tm_year = time.year - 1900;
    parts.tm_mon = time.month - 1;
    parts.tm_mday = time.day;
    parts.tm_hour = time.hour;
    parts.tm_min = time.minute;
    parts.tm_sec = time.second;
    EXPECT_EQ(utc_seconds(time), timegm(&parts));
  }
}

}  // namespace
}  // namespace millrace
