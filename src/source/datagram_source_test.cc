#include "source/datagram_source.h"

#include <gtest/gtest.h>

#include "io/udp_test_client.h"
#include "source/netcat/netcat_udp.h"
#include "source/source_fixture.h"
#include "source/syslog/syslog_udp.h"

namespace millrace {
namespace {

using testing_kit::eventually;
using Strings = std::vector<std::string>;

class DatagramSourceTest : public SourceFixture {
 protected:
  SyslogUdpSource& start_syslog(Keys keys = {}) {
    keys.insert(keys.end(), {{"host", "127.0.0.1"}, {"port", "0"}});
    return start<SyslogUdpSource>(keys);
  }
  NetcatUdpSource& start_netcat(Keys keys = {}) {
    keys.insert(keys.end(), {{"bind", "127.0.0.1"}, {"port", "0"}});
    return start<NetcatUdpSource>(keys);
  }
};

// Flume 1.11, TestSyslogUdpSource#testLargePayload.
TEST_F(DatagramSourceTest, MakesAnEventOfEachSyslogMessage) {
  UdpTestClient client(start_syslog().port());
  const std::string large(60'000, 'x');
  client.send("<34>Nov  3 22:14:15 h one");
  client.send("<34>Nov  3 22:14:15 h " + large + "\n");
  client.send("no priority");
  client.send("\n");
  client.send("<34>Nov  3 22:14:15 h last\nand more");
  ASSERT_TRUE(collected(4));
  EXPECT_EQ(bodies(), (Strings{"one", large, "no priority", "last"}));
  EXPECT_EQ(events[0].headers["host"], "h");
  EXPECT_EQ(events[2].headers["flume.syslog.status"], "Invalid");
  EXPECT_EQ(metric("InvalidEventCount"), 1U);
  EXPECT_EQ(metric("TextDropCount"), 1U);
}

// Flume 1.11, TestSyslogUdpSource#testClientHeaders.
TEST_F(DatagramSourceTest, NamesTheSendersOfSyslogMessages) {
  UdpTestClient client(
      start_syslog({{"clientIPHeader", "ip"}, {"clientHostnameHeader", "name"}}).port());
  client.send("<34>Nov  3 22:14:15 h one");
  client.send("<34>Nov  3 22:14:15 h two");
  ASSERT_TRUE(collected(2));
  for (auto& event : events) {
    EXPECT_EQ(event.headers["ip"], "127.0.0.1");
    EXPECT_EQ(event.headers["name"], hostname_of("127.0.0.1"));
  }
}

TEST_F(DatagramSourceTest, KeepsFieldsAndTriesTheFormatOfOnesOwn) {
  UdpTestClient client(start_syslog({{"keepFields", "hostname"},
                                     {"format.regex", R"(<(\d+)>()(\S+ \S+) (\S+) -> (.*))"},
                                     {"format.dateFormat", "yyyy-MM-dd HH:mm:ss"}})
                           .port());
  client.send("<13>2026-01-05 10:22:33 h4 -> text");
  client.send("<34>Nov  3 22:14:15 h one");
  ASSERT_TRUE(collected(2));
  EXPECT_EQ(bodies(), (Strings{"h4 text", "h one"}));
  EXPECT_EQ(faults<SyslogUdpSource>({{"port", "1"}, {"format.regex", "("}}), 1U);
  EXPECT_EQ(faults<SyslogUdpSource>({}), 1U);
}

TEST_F(DatagramSourceTest, MakesAnEventOfTheFirstLineOfADatagram) {
  UdpTestClient client(start_netcat().port());
  client.send("one\r\n");
  client.send("");
  client.send("two\nthree");
  ASSERT_TRUE(collected(3));
  EXPECT_EQ(bodies(), (Strings{"one\r", "", "two"}));
  EXPECT_TRUE(events[0].headers.empty());
  EXPECT_EQ(metric("TextDropCount"), 1U);
}

TEST_F(DatagramSourceTest, NamesTheSendersOfLines) {
  UdpTestClient client(start_netcat({{"remoteAddress", "from"}}).port());
  client.send("x");
  ASSERT_TRUE(collected(1));
  EXPECT_EQ(events[0].headers["from"], "/127.0.0.1:" + std::to_string(client.port()));
}

// Goal: a full channel costs what the kernel cannot keep, and that is counted.
TEST_F(DatagramSourceTest, CountsWhatIsLostWhileTheChannelIsFull) {
  use_channel(std::make_shared<CollectingChannel>(10, 10));
  NetcatUdpSource& source = start_netcat({{"receiveBuffer", "4096"}});
  UdpTestClient client(source.port());
  constexpr std::size_t kSent = 5000;
  for (std::size_t i = 0; i < kSent; ++i) {
    client.send("some text of a datagram");
  }
  EXPECT_TRUE(eventually([&] {
    collect();
    return events.size() + metric("DatagramDropCount") == kSent;
  })) << events.size()
      << " came, " << metric("DatagramDropCount") << " counted";
  EXPECT_GT(metric("DatagramDropCount"), 0U);
}

TEST_F(DatagramSourceTest, ReadsOnWhenThereIsMemoryAgain) {
  limit_memory(std::size_t{1} << 20);
  NetcatUdpSource& source = start_netcat();
  UdpTestClient client(source.port());
  const std::string text(50'000, 'x');
  for (int i = 0; i < 100; ++i) {
    client.send(text);
  }
  EXPECT_TRUE(eventually([&] {
    collect();
    return events.size() + metric("DatagramDropCount") == 100;
  })) << events.size()
      << " came, " << metric("DatagramDropCount") << " counted, " << memory_used() << " bytes";
}

TEST_F(DatagramSourceTest, TakesAtStopWhatTheKernelHolds) {
  NetcatUdpSource& source = start_netcat();
  UdpTestClient client(source.port());
  for (int i = 0; i < 200; ++i) {
    client.send("x");
  }
  source.stop(clock.steady() + std::chrono::seconds(10));
  collect();
  EXPECT_EQ(events.size() + metric("DatagramDropCount"), 200U);
  EXPECT_EQ(events.size(), 200U);
}

}  // namespace
}  // namespace millrace
