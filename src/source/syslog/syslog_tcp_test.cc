#include "source/syslog/syslog_tcp.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "io/open_file_limit.h"
#include "io/tls_test_kit.h"
#include "source/source_fixture.h"
#include "source/syslog/multiport_syslog_tcp.h"

namespace millrace {
namespace {

using testing_kit::eventually;
using Strings = std::vector<std::string>;

class SyslogTcpTest : public SourceFixture {
 protected:
  SyslogTcpSource& start_one(Keys keys = {}) {
    keys.insert(keys.end(), {{"host", "127.0.0.1"}, {"port", "0"}});
    return start<SyslogTcpSource>(keys);
  }
  MultiportSyslogSource& start_multi(Keys keys) {
    keys.emplace_back("host", "127.0.0.1");
    return start<MultiportSyslogSource>(keys);
  }
};

TEST_F(SyslogTcpTest, TurnsLinesIntoEventsHoweverTheyAreCut) {
  TestClient client(start_one().port());
  client.send("<34>Nov  3 22:14:15 h on");
  client.send("e\n<34>Nov  3 22:14:15 h two\n\n<34>");
  client.send("Nov  3 22:14:15 h three\n");
  ASSERT_TRUE(collected(3));
  EXPECT_EQ(bodies(), (Strings{"one", "two", "three"}));
}

TEST_F(SyslogTcpTest, KeepsWhatHasNoNewlineAtTheEnd) {
  TestClient client(start_one().port());
  client.send("<13>1 2026-01-05T10:22:33Z h5 app - - - fine");
  client.close();
  ASSERT_TRUE(collected(1));
  EXPECT_EQ(bodies(), (Strings{"app - - - fine"}));
  EXPECT_EQ(metric("IncompleteEventCount"), 0u);
}

// Goal: messages behind a count come out, wherever reads cut them. Method: each byte of the stream
// begins a read once; what came before it was read, as the line in front of it has come.
TEST_F(SyslogTcpTest, ReadsCountedMessagesCutAnywhere) {
  const std::string stream =
      "30 <34>Nov  3 22:14:15 h one\nmore27 <34>Nov  3 22:14:15 h two\r\n<34>Nov  3 22:14:15 h x\n"
      "24 <34>Nov  3 22:14:15 h th\n";
  const Strings want{"zero", "one\nmore", "two", "x", "th"};
  TestClient client(start_one().port());
  for (std::size_t cut = 0; cut < stream.size(); ++cut) {
    events.clear();
    client.send("<34>Nov  3 22:14:15 h zero\n" + stream.substr(0, cut));
    ASSERT_TRUE(collected(1));
    client.send(stream.substr(cut));
    ASSERT_TRUE(collected(want.size()));
    ASSERT_EQ(bodies(), want) << cut;
  }
  EXPECT_EQ(metric("InvalidEventCount") + metric("IncompleteEventCount"), 0u);
}

// Case from the field: octet-counted messages without any newline were lost at the end of the
// connection.
TEST_F(SyslogTcpTest, KeepsCountedMessagesUpToTheEnd) {
  const std::uint16_t port = start_one().port();
  TestClient client(port);
  client.send(
      "47 <13>1 2026-01-05T10:22:33Z h4 app - - - text m147 <13>1 2026-01-05T10:22:33Z h4 "
      "app - - - te");
  client.close();
  ASSERT_TRUE(collected(2));
  EXPECT_EQ(bodies(), (Strings{"app - - - text m1", "app - - - te"}));
  EXPECT_EQ(metric("InvalidEventCount"), 0u);
  EXPECT_EQ(metric("IncompleteEventCount"), 1u);
}

TEST_F(SyslogTcpTest, ReadsCountedMessagesOnManyPorts) {
  MultiportSyslogSource& source = start_multi({{"ports", "0 0"}, {"portHeader", "port"}});
  for (const std::uint16_t port : source.ports()) {
    TestClient client(port);
    client.send("30 <13>1 2026-01-05T10:22:33Z h a30 <13>1 2026-01-05T10:22:33Z h b");
    client.close();
  }
  ASSERT_TRUE(collected(4));
  Strings all = bodies();
  std::sort(all.begin(), all.end());
  EXPECT_EQ(all, (Strings{"a", "a", "b", "b"}));
  EXPECT_EQ(metric("InvalidEventCount"), 0u);
}

TEST_F(SyslogTcpTest, ReadsLinesAloneWhereThatIsAskedFor) {
  TestClient client(start_one({{"framing", "newline"}}).port());
  client.send("5 <34>Nov  3 22:14:15 h one\n");
  ASSERT_TRUE(collected(1));
  EXPECT_EQ(bodies(), (Strings{"5 <34>Nov  3 22:14:15 h one"}));
  EXPECT_EQ(metric("InvalidEventCount"), 1u);
}

TEST_F(SyslogTcpTest, CountsConnectionsAndBadLines) {
  const std::uint16_t port = start_one({{"eventSize", "40"}}).port();
  TestClient first(port);
  TestClient second(port);
  first.send("bad\n<34>Nov  3 22:14:15 h " + std::string(30, 'x') + "\n");
  ASSERT_TRUE(collected(3));
  EXPECT_EQ(metric("InvalidEventCount"), 2u);  // The rest of the long line too.
  EXPECT_EQ(metric("IncompleteEventCount"), 1u);
  EXPECT_TRUE(eventually([&] { return metric("OpenConnectionCount") == 2; }));
  second.reset();
  EXPECT_TRUE(eventually([&] { return metric("OpenConnectionCount") == 1; }));
}

TEST_F(SyslogTcpTest, AddsTheClientsAddressAndName) {
  TestClient client(start_one({{"clientIPHeader", "ip"}, {"clientHostnameHeader", "name"}}).port());
  client.send("<34>Nov  3 22:14:15 h one\n");
  ASSERT_TRUE(collected(1));
  const auto& headers = events.back().headers;
  EXPECT_EQ(headers.at("ip"), "127.0.0.1");
  EXPECT_FALSE(headers.at("name").empty());
}

// Goal: nothing is lost and memory stays bounded while the channel is full. Method: far more than
// the channel takes; it is emptied now and then.
TEST_F(SyslogTcpTest, StopsReadingWhileTheChannelIsFull) {
  use_channel(std::make_shared<CollectingChannel>(500, 100));
  SyslogTcpSource& source = start_one();
  constexpr std::size_t kEvents = 20'000;
  std::jthread sender([port = source.port()] {
    TestClient client(port);
    for (std::size_t i = 0; i < kEvents; ++i) {
      client.send("<34>Nov  3 22:14:15 h " + std::to_string(i) + std::string(1000, ' ') + "\n");
    }
  });
  ASSERT_TRUE(collected(kEvents));
  for (std::size_t i = 0; i < kEvents; ++i) {
    ASSERT_EQ(std::stoul(events[i].body), i);
  }
}

// Goal: the memory for events can be spent without a loss. Method: a budget that the channel's
// content alone uses up.
TEST_F(SyslogTcpTest, WaitsWhileTheMemoryForEventsIsSpent) {
  limit_memory(std::size_t{2} << 20);
  SyslogTcpSource& source = start_one();
  constexpr std::size_t kEvents = 8000;
  std::jthread sender([port = source.port()] {
    TestClient client(port);
    for (std::size_t i = 0; i < kEvents; ++i) {
      client.send("<34>Nov  3 22:14:15 h " + std::to_string(i) + std::string(1000, ' ') + "\n");
    }
  });
  EXPECT_TRUE(waits_for_memory());
  ASSERT_TRUE(eventually([&] {
    EXPECT_LT(memory_used(), std::size_t{4} << 20);
    collect();
    return events.size() == kEvents;
  }));
  EXPECT_TRUE(has_memory());
}

TEST_F(SyslogTcpTest, TakesInWhatTheSocketsHoldWhenItStops) {
  SyslogTcpSource& source = start_one();
  std::vector<std::unique_ptr<TestClient>> clients;
  for (int i = 0; i < 50; ++i) {
    clients.push_back(std::make_unique<TestClient>(source.port()));
    clients.back()->send("<34>Nov  3 22:14:15 h one\n<34>Nov  3 22:14:15 h torn");
  }
  source.stop(clock.steady() + std::chrono::seconds(10));
  collect();
  EXPECT_EQ(events.size(), 100u);
}

TEST_F(SyslogTcpTest, ReadsClientsThatSpeakTls) {
  const TestKeystore keystore;
  const std::string pem = keystore.pem();
  SyslogTcpSource& source = start_one({{"ssl", "true"}, {"keystore", pem}});
  TlsTestClient client(source.port());
  ASSERT_TRUE(client.connected());
  for (int i = 0; i < 2000; ++i) {
    client.send("<34>Nov  3 22:14:15 h " + std::to_string(i) + "\n");
  }
  ASSERT_TRUE(collected(2000));
  EXPECT_EQ(events.back().body, "1999");
  TestClient plain(source.port());
  plain.send("<34>Nov  3 22:14:15 h plain\n");
  plain.receive_all();  // Refused.
  collect();
  EXPECT_EQ(events.size(), 2000u);
}

TEST_F(SyslogTcpTest, SaysThatAPortIsInUse) {
  const std::uint16_t port = start_one().port();
  const std::string text = std::to_string(port);
  auto second = make<SyslogTcpSource>({{"host", "127.0.0.1"}, {"port", text}});
  const Result<> result = second->start();
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().fault(), Fault::kTransient);
}

TEST_F(SyslogTcpTest, RefusesBadKeys) {
  EXPECT_EQ(faults<SyslogTcpSource>({{"port", "514"}, {"format.regex", "(open"}}), 1u);
  EXPECT_EQ(faults<SyslogTcpSource>({{"port", "514"}, {"ssl", "true"}}), 1u);
  EXPECT_EQ(faults<SyslogTcpSource>({}), 1u);
  EXPECT_EQ(faults<MultiportSyslogSource>({{"ports", "1 x 99999"}}), 2u);
  EXPECT_EQ(faults<MultiportSyslogSource>({{"ports", "1"}, {"charset.default", "none such"}}), 1u);
  EXPECT_EQ(faults<MultiportSyslogSource>({{"ports", "1"}, {"charset.port.x", "UTF-8"}}), 1u);
}

// Flume 1.11, TestMultiportSyslogTCPSource, testMultiplePorts.
TEST_F(SyslogTcpTest, ListensOnManyPortsAndNamesThem) {
  std::string ports;
  ASSERT_TRUE(raise_open_file_limit().ok());
  for (int i = 0; i < 1000; ++i) {
    ports += "0 ";
  }
  MultiportSyslogSource& source = start_multi({{"ports", ports}, {"portHeader", "port"}});
  ASSERT_EQ(source.ports().size(), 1000u);
  for (const std::uint16_t port : source.ports()) {
    TestClient client(port);
    client.send("<34>1 2003-10-11T22:14:15.003Z host " + std::to_string(port) + "\n");
  }
  ASSERT_TRUE(collected(1000));
  for (const CollectedEvent& event : events) {
    EXPECT_EQ(event.headers.at("port"), event.body);
  }
}

TEST_F(SyslogTcpTest, OpensAPortThatBecomesFree) {
  auto blocker = make<SyslogTcpSource>({{"host", "127.0.0.1"}, {"port", "0"}});
  ASSERT_TRUE(blocker->start().ok());
  const std::string ports = "0 " + std::to_string(blocker->port());
  MultiportSyslogSource& source = start_multi({{"ports", ports}});
  EXPECT_EQ(source.ports().size(), 1u);
  ASSERT_FALSE(source.health().ok());
  EXPECT_NE(source.health().error().message().find(std::to_string(blocker->port())),
            std::string::npos);
  blocker->stop(clock.steady());
  EXPECT_TRUE(eventually([&] { return source.ports().size() == 2; }));
  EXPECT_TRUE(source.health().ok());
}

TEST_F(SyslogTcpTest, KeepsPutsWithinTheBatchSize) {
  MultiportSyslogSource& source = start_multi({{"ports", "0"}, {"batchSize", "7"}});
  TestClient client(source.ports().front());
  std::string lines;
  Strings want;
  for (int i = 0; i < 1000; ++i) {
    want.push_back("n" + std::to_string(i));
    lines += "<34>Nov  3 22:14:15 h " + want.back() + "\n";
  }
  client.send(lines);
  ASSERT_TRUE(collected(1000));
  EXPECT_EQ(bodies(), want);
  for (const std::size_t size : batch_sizes) {
    EXPECT_LE(size, 7u);
  }
}

TEST_F(SyslogTcpTest, StartsAgainAfterAStop) {
  SyslogTcpSource& source = start_one();
  source.stop(clock.steady() + std::chrono::seconds(10));
  ASSERT_TRUE(source.start().ok());
  TestClient client(source.port());
  client.send("<34>Nov  3 22:14:15 h one\n");
  EXPECT_TRUE(collected(1));
}

}  // namespace
}  // namespace millrace
