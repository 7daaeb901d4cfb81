#include "source/netcat/netcat_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/tcp_test_client.h"
#include "source/source_fixture.h"

namespace millrace {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing_kit::eventually;
using Strings = std::vector<std::string>;

std::string line_of(std::size_t length, char letter) {
  std::string line(length, letter);
  line.push_back('\n');
  return line;
}

std::string repeated(std::string_view text, std::size_t count) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) {
    all += text;
  }
  return all;
}

class NetcatSourceTest : public SourceFixture {
 protected:
  NetcatSource& start_netcat(Keys keys = {}) {
    keys.insert(keys.end(), {{"bind", "127.0.0.1"}, {"port", "0"}});
    return start<NetcatSource>(keys);
  }
};

TEST_F(NetcatSourceTest, AnswersEveryLine) {
  TestClient client(start_netcat().port());
  client.send("first\nsec");
  EXPECT_EQ(client.receive(3), "OK\n");
  client.send("ond\r\n\n");
  EXPECT_EQ(client.receive(6), "OK\nOK\n");
  ASSERT_TRUE(collected(3));
  EXPECT_EQ(bodies(), (Strings{"first", "second\r", ""}));
  EXPECT_TRUE(events.front().headers.empty());
}

TEST_F(NetcatSourceTest, KeepsQuietWhenToldTo) {
  TestClient client(start_netcat({{"ack-every-event", "false"}}).port());
  client.send("one\ntwo\n");
  client.half_close();
  EXPECT_EQ(client.receive_all(), "");
  ASSERT_TRUE(collected(2));
}

// Goal: what Flume discards, an unterminated last line, is kept, and bytes of any value too.
TEST_F(NetcatSourceTest, KeepsEveryByte) {
  TestClient client(start_netcat().port());
  const std::string odd("\xFF\x00\xC3(\t", 5);
  client.send(odd + "\nno newline");
  client.half_close();
  EXPECT_EQ(client.receive_all(), "OK\nOK\n");
  ASSERT_TRUE(collected(2));
  EXPECT_EQ(bodies(), (Strings{odd, "no newline"}));
}

// Goal: an answer waits for the commit of its line, and keeps its place.
TEST_F(NetcatSourceTest, AnswersOnlyWhatIsCommitted) {
  channel->hold_answers();
  TestClient client(start_netcat().port());
  client.send("a\nb\n");
  ASSERT_TRUE(eventually([&] { return channel->unanswered() == 1; }));
  client.send("c\n" + std::string(600, 'x') + "\n");
  ASSERT_TRUE(eventually([&] { return channel->unanswered() == 2; }));
  pollfd nothing_yet{client.descriptor(), POLLIN, 0};
  EXPECT_EQ(::poll(&nothing_yet, 1, 20), 0);
  channel->answer(transient("disk on fire"));
  EXPECT_EQ(client.receive(42), "FAILED: disk on fire\nFAILED: disk on fire\n");
  channel->answer({});
  EXPECT_EQ(client.receive_all(),
            "OK\nFAILED: Event exceeds the maximum length (512 chars, including newline)\n");
  ASSERT_TRUE(collected(3));
  EXPECT_EQ(bodies(), (Strings{"a", "b", "c"}));
}

TEST_F(NetcatSourceTest, CountsCharactersOfALine) {
  const std::uint16_t port = start_netcat({{"max-line-length", "10"}}).port();
  TestClient fits(port);
  fits.send("123456789\n" + repeated("\xC3\xA4", 9) + "\n");
  EXPECT_EQ(fits.receive(6), "OK\nOK\n");
  TestClient too_long(port);
  too_long.send("1234567890\nnever read\n");
  EXPECT_EQ(too_long.receive_all(),
            "FAILED: Event exceeds the maximum length (10 chars, including newline)\n");
  TestClient endless(port);
  endless.send(std::string(1000, '\x80'));
  EXPECT_THAT(endless.receive_all(), HasSubstr("FAILED"));
  ASSERT_TRUE(collected(2));
  EXPECT_EQ(events.size(), 2U);
  EXPECT_EQ(metric("EventReadFail"), 2U);
}

// Flume 1.11, TestNetcatSource: other encodings come in, UTF-8 goes on; answers are in the
// encoding of the client.
TEST_F(NetcatSourceTest, ReadsAndWritesOtherEncodings) {
  TestClient client(start_netcat({{"encoding", "UTF-16BE"}}).port());
  const std::string line("\0a\x20\xAC\0\n", 6);
  client.send(line.substr(0, 3));
  client.send(line.substr(3));
  EXPECT_EQ(client.receive(6), std::string("\0O\0K\0\n", 6));
  client.send(std::string("\0b", 2));
  client.half_close();
  EXPECT_EQ(client.receive_all(), std::string("\0O\0K\0\n", 6));
  ASSERT_TRUE(collected(2));
  EXPECT_EQ(bodies(), (Strings{"a\xE2\x82\xAC", "b"}));
  EXPECT_EQ(faults<NetcatSource>({{"bind", "x"}, {"port", "1"}, {"encoding", "klingon"}}), 1U);
}

// Goal: lines sent ahead share puts, in order, of at most a thousand events.
TEST_F(NetcatSourceTest, StoresPipelinedLinesTogether) {
  TestClient client(start_netcat().port());
  constexpr std::size_t kLines = 30'000;
  std::string all;
  for (std::size_t i = 0; i < kLines; ++i) {
    all += std::to_string(i) + "\n";
  }
  std::jthread sender([&] { client.send(all); });
  EXPECT_EQ(client.receive(3 * kLines), repeated("OK\n", kLines));
  ASSERT_TRUE(collected(kLines));
  for (std::size_t i = 0; i < kLines; ++i) {
    ASSERT_EQ(events[i].body, std::to_string(i));
  }
  EXPECT_LE(*std::max_element(batch_sizes.begin(), batch_sizes.end()), 1000U);
  EXPECT_LT(batch_sizes.size(), kLines / 10);
}

// Goal: a full channel stops the reading, and each line is answered once: OK, and then it is in the
// channel, or FAILED.
TEST_F(NetcatSourceTest, PushesBackWhileTheChannelIsFull) {
  use_channel(std::make_shared<CollectingChannel>(500, 100));
  TestClient client(start_netcat().port());
  constexpr std::size_t kLines = 20'000;
  std::jthread sender([&] { client.send(repeated(line_of(200, 'p'), kLines)); });
  std::jthread receiver([&] { EXPECT_EQ(client.receive(3 * kLines), repeated("OK\n", kLines)); });
  ASSERT_TRUE(collected(kLines));
}

TEST_F(NetcatSourceTest, SaysFailedWhenTheChannelStaysFull) {
  use_channel(std::make_shared<CollectingChannel>(1, 1));
  TestClient client(start_netcat().port());
  client.send("fits\n");
  EXPECT_EQ(client.receive(3), "OK\n");
  client.send("does not\n");
  EXPECT_EQ(client.receive(8), "FAILED: ");
}

class NetcatMemoryTest : public NetcatSourceTest,
                         public testing::WithParamInterface<const char*> {};

TEST_P(NetcatMemoryTest, WaitsWhileTheMemoryForEventsIsSpent) {
  limit_memory(std::size_t{2} << 20);
  TestClient client(start_netcat({{"max-line-length", "2000"}, {"encoding", GetParam()}}).port());
  constexpr std::size_t kLines = 8000;
  std::jthread sender([&] { client.send(repeated(line_of(1000, 'm'), kLines)); });
  std::jthread receiver([&] { EXPECT_EQ(client.receive(3 * kLines).size(), 3 * kLines); });
  EXPECT_TRUE(waits_for_memory());
  EXPECT_LT(memory_used(), std::size_t{3} << 20);
  ASSERT_TRUE(eventually([&] {
    EXPECT_LT(memory_used(), std::size_t{4} << 20);
    collect();
    return events.size() == kLines;
  }));
  EXPECT_TRUE(has_memory());
}

INSTANTIATE_TEST_SUITE_P(Encodings, NetcatMemoryTest, testing::Values("UTF-8", "ISO-8859-1"));

// Goal: a client that sends and never reads its answers costs no memory without a bound.
TEST_F(NetcatSourceTest, StopsReadingWhoDoesNotReadAnswers) {
  TestClient client(start_netcat().port());
  std::atomic<bool> stopped{false};
  std::jthread sender([&] {
    const std::string lines = repeated("\n", 64 * 1024);
    while (!stopped && ::send(client.descriptor(), lines.data(), lines.size(), MSG_NOSIGNAL) > 0) {
    }
  });
  std::size_t before = 0;
  int still = 0;
  EXPECT_TRUE(eventually([&] {
    collect();
    still = events.size() == before && before > 0 ? still + 1 : 0;
    before = events.size();
    std::this_thread::sleep_for(1ms);
    return still == 100;
  }));
  stopped = true;
  ::shutdown(client.descriptor(), SHUT_RDWR);
}

// Goal: an orderly stop reads and answers what the sockets hold; a line whose end is not among it
// is not answered, so that its client sends it again.
TEST_F(NetcatSourceTest, StopAnswersWhatWasSent) {
  NetcatSource& source = start_netcat();
  TestClient client(source.port());
  client.send(repeated("line\n", 5000) + "las");
  source.stop(clock.steady() + 20s);
  EXPECT_EQ(client.receive_all(), repeated("OK\n", 5000));
  ASSERT_TRUE(collected(5000));
  EXPECT_TRUE(source.start().ok());
  TestClient again(source.port());
  again.send("more\n");
  EXPECT_EQ(again.receive(3), "OK\n");
}

TEST_F(NetcatSourceTest, StopDoesNotWaitBeyondItsDeadline) {
  channel->hold_answers();
  NetcatSource& source = start_netcat();
  TestClient client(source.port());
  client.send("stuck\n");
  ASSERT_TRUE(eventually([&] { return channel->unanswered() == 1; }));
  const auto begin = clock.steady();
  source.stop(begin + 50ms);
  EXPECT_LT(clock.steady() - begin, 5s);
  channel->answer({});  // Too late, and harmless.
}

TEST_F(NetcatSourceTest, APortInUseIsSaid) {
  NetcatSource& source = start_netcat();
  const std::string port = std::to_string(source.port());
  const auto second = make<NetcatSource>({{"bind", "127.0.0.1"}, {"port", port}});
  const Result<> result = second->start();
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().fault(), Fault::kTransient);
  EXPECT_THAT(result.error().message(), HasSubstr(port));
}

}  // namespace
}  // namespace millrace
