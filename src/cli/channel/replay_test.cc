// Export and replay, from the command line to what arrives.
#include <gtest/gtest.h>

#include "cli/channel/channel_fixture.h"
#include "cli/hammer/test_peer.h"

namespace millrace {
namespace {

std::string event_json(int i) {
  return R"({"number":)" + std::to_string(i) + R"(,"time":"2023-11-14T22:13:2)" +
         std::to_string(i) + R"(.000Z","headers":{"host":"h)" + std::to_string(i % 2) +
         R"("},"body":"event )" + std::to_string(i) + "\"}\n";
}

class ChannelReplayTest : public ChannelCommandTest {
 protected:
  int replay(const Arguments& range, const std::string& into) {
    Arguments arguments{"channel", "replay", "--into", into};
    arguments.insert(arguments.end(), range.begin(), range.end());
    return run(arguments);
  }
  std::string address() const { return "127.0.0.1:" + std::to_string(peer.port()); }

  TestPeer peer{[](auto) { return "OK\n"; }};
};

TEST_F(ChannelReplayTest, ExportGivesWhatIsInTheChannelOrAll) {
  fill();
  std::string expected;
  for (int i = 4; i < 10; ++i) {
    expected += event_json(i);
  }
  ASSERT_EQ(run({"channel", "export"}), kDone) << err;
  EXPECT_EQ(out, expected);
  EXPECT_EQ(err, "channel c1: stopped: exported 6 events, numbers 4..9\n");
  ASSERT_EQ(run({"channel", "export", "--all"}), kDone) << err;
  EXPECT_EQ(out, event_json(0) + event_json(1) + event_json(2) + event_json(3) + expected);
  const std::string file = (temp / "events.json").string();
  ASSERT_EQ(run({"channel", "export", "--out", file}), kDone) << err;
  EXPECT_EQ(read_file(real_file_system(), file).value(), expected);
}

TEST_F(ChannelReplayTest, SendsARangeAgain) {
  fill();
  ASSERT_EQ(replay({"--from", "2", "--to", "5"}, address()), kDone) << err;
  EXPECT_EQ(peer.lines(), (Arguments{"event 2", "event 3", "event 4", "event 5"}));
  EXPECT_TRUE(prints("4 events of the range on disk, numbers 2..5\n4 events sent again")) << out;
  ASSERT_EQ(replay({"--from", "2023-11-14T22:13:28Z"}, address()), kDone) << err;
  EXPECT_EQ(peer.lines().size(), 6U);
  EXPECT_EQ(peer.lines().back(), "event 9");
}

TEST_F(ChannelReplayTest, IntoAFile) {
  fill();
  const std::string file = (temp / "again.avro").string();
  ASSERT_EQ(replay({"--from", "0"}, file), kDone) << err;
  EXPECT_TRUE(prints("10 events sent again into " + file)) << out;
  EXPECT_NE(read_file(real_file_system(), file).value().find("event 9"), std::string::npos);
}

TEST_F(ChannelReplayTest, SaysWhatIsOnDiskNoMore) {
  ASSERT_TRUE(channel->start().ok());
  const std::string body(1000, 'x');
  for (int i = 0; i < 300; ++i) {
    put({{body, {}}});
    take();
    kit.clock.advance(std::chrono::seconds(1));
  }
  channel->stop();
  ASSERT_EQ(replay({"--from", "0"}, address()), kDone) << err;
  ASSERT_TRUE(prints("of the range not on disk any more: 0..")) << out;
  ASSERT_EQ(replay({"--from", "2023-11-14T22:13:20Z"}, address()), kDone) << err;
  EXPECT_TRUE(prints("is not on disk any more\n")) << out;
}

TEST_F(ChannelReplayTest, AnEventOfSeveralLinesIsNoLine) {
  ASSERT_TRUE(channel->start().ok());
  put({{"one", {}}, {"two\nlines", {}}});
  ASSERT_EQ(replay({"--from", "0"}, address()), kFailedAtWork);  // Live, too.
  EXPECT_TRUE(prints("1 event sent again")) << out;
  EXPECT_TRUE(prints("1 event left out: there is a line end in them")) << out;
  EXPECT_EQ(peer.lines(), Arguments{"one"});
}

TEST_F(ChannelReplayTest, NobodyThereIsSaid) {
  fill();
  EXPECT_EQ(replay({"--from", "0"}, "127.0.0.1:1"), kFailedAtWork);
  EXPECT_NE(err.find("cannot connect to 127.0.0.1:1"), std::string::npos) << err;
  EXPECT_EQ(replay({"--from", "soon"}, address()), kBadUsage);
  EXPECT_EQ(replay({}, address()), kBadUsage);
}

}  // namespace
}  // namespace millrace
