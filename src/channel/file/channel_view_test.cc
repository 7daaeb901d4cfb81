#include "channel/file/channel_view.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <set>

#include "channel/file/file_channel_fixture.h"
#include "channel/file/put_times.h"

namespace millrace::file_channel {
namespace {

const ChannelFolders kFolders{{"/check"}, {"/data"}};

class ChannelViewTest : public FileChannelTest {
 protected:
  ChannelView view(const ChannelFolders& folders = kFolders) {
    Result<ChannelView> view = view_channel(kit.files, folders);
    EXPECT_TRUE(view.ok()) << view.error().message();
    return std::move(view).value();
  }
  std::string refusal(const ChannelFolders& folders = kFolders) {
    Result<ChannelView> view = view_channel(kit.files, folders);
    return view.ok() ? "" : view.error().message();
  }
  void fill() {
    open();
    ASSERT_TRUE(put(kit.slabs.numbered(10)).ok());
    kit.clock.advance(std::chrono::seconds(7));
    ASSERT_TRUE(put(kit.slabs.numbered(5)).ok());
    commit(*take(4));
  }
};

TEST_F(ChannelViewTest, AStoppedChannelIsSeenAsItIs) {
  fill();
  const std::int64_t now = kit.clock.wall_ms();
  channel->stop();
  const ChannelView seen = view();
  EXPECT_FALSE(seen.is_live);
  EXPECT_EQ(seen.checkpoint().trouble, "");
  EXPECT_EQ(seen.log.events.next, 15U);
  EXPECT_EQ(seen.log.events.live.all(), (std::vector<EventRange>{{4, 15}}));
  const PutTimes times = put_times(kit.files, seen).value();
  EXPECT_EQ(times.oldest, now - 7000);
  EXPECT_EQ(times.newest, now);
}

TEST_F(ChannelViewTest, ALiveOneNamesItsHolder) {
  fill();
  const ChannelView seen = view();
  EXPECT_TRUE(seen.is_live);
  EXPECT_EQ(seen.holder, ::getpid());
  // The acknowledgement is written within milliseconds.
  EXPECT_TRUE(testing_kit::eventually([&] { return view().log.events.live.count() == 11; }));
  channel->stop();
}

TEST_F(ChannelViewTest, WithoutAUsableCheckpointTheLogTells) {
  fill();
  channel->stop();
  const std::string whole = kit.files.text("/check/channel.checkpoint");
  for (const std::string damage : {"bits", "another's", "missing", "not named"}) {
    SCOPED_TRACE(damage);
    std::string bytes = whole;
    ChannelFolders folders = kFolders;
    if (damage == "bits") {
      bytes[20] ^= 1;
    } else if (damage == "another's") {
      Checkpoint other;
      other.channel = Id::random();
      bytes = encode_checkpoint(other);
    } else if (damage == "not named") {
      folders.checkpoint_dirs.clear();
    }
    kit.files.put("/check/channel.checkpoint", bytes);
    if (damage == "missing") {
      ASSERT_TRUE(kit.files.remove("/check/channel.checkpoint").ok());
    }
    const ChannelView seen = view(folders);
    EXPECT_NE(seen.checkpoint().trouble, "");
    EXPECT_EQ(seen.has_damaged_checkpoint(), damage == "bits");
    EXPECT_EQ(seen.log.events.live.all(), (std::vector<EventRange>{{4, 15}}));
  }
}

// Goal: the tools see what a start would. Method: two checkpoint dirs, of which one after the other
// has the only checkpoint that can be used; the log alone would not know of the last
// acknowledgement, whose record is damaged.
TEST_F(ChannelViewTest, OfTwoCheckpointsTheUsableOneIsUsed) {
  open({{"useDualCheckpoints", "true"}, {"backupCheckpointDir", "/backup"}});
  ASSERT_TRUE(put(kit.slabs.numbered(10)).ok());
  commit(*take(4));
  channel->stop();
  const std::string whole = kit.files.text("/check/channel.checkpoint");
  const ChannelFolders folders{{"/check", "/backup"}, {"/data"}};
  EXPECT_TRUE(view(folders).checkpoint().trouble.empty());
  for (const std::string damaged : {"/check", "/backup"}) {
    const std::string other = damaged == "/check" ? "/backup" : "/check";
    for (const std::string damage : {"bits", "unfit", "missing"}) {
      SCOPED_TRACE(damaged);
      SCOPED_TRACE(damage);
      std::string bytes = whole;
      if (damage == "bits") {
        bytes[20] ^= 1;
      } else if (damage == "unfit") {
        Checkpoint newer = decode_checkpoint(whole).value();
        newer.next += 1;
        newer.dirs.front().segments.push_back({77, 77, 77, {10, 11}, kFirstRecord});
        bytes = encode_checkpoint(newer);
      }
      kit.files.put(damaged + "/channel.checkpoint", bytes);
      kit.files.put(other + "/channel.checkpoint", whole);
      if (damage == "missing") {
        ASSERT_TRUE(kit.files.remove(damaged + "/channel.checkpoint").ok());
      }
      const ChannelView seen = view(folders);
      EXPECT_EQ(seen.checkpoint().dir, other);
      EXPECT_EQ(seen.checkpoint().trouble, "");
      ASSERT_EQ(seen.checkpoints.size(), 2U);
      EXPECT_EQ(seen.checkpoints[1].dir, damaged);
      EXPECT_NE(seen.checkpoints[1].trouble, "");
      EXPECT_EQ(seen.checkpoints[1].trouble.find("segment-000077") != std::string::npos,
                damage == "unfit");
      EXPECT_EQ(seen.has_damaged_checkpoint(), damage != "missing");
      EXPECT_EQ(seen.log.events.next, 10U);
    }
  }
}

// Goal: looking changes nothing, whatever is found. Method: a channel with damage of each kind; no
// call that could change a file is made, and no lock is taken.
TEST_F(ChannelViewTest, NothingIsChanged) {
  for (const bool is_live : {true, false}) {
    fill();
    if (!is_live) {
      channel->stop();
      std::string bytes = kit.files.text("/data/segment-000001.wal");
      bytes[kFirstRecord + 1] ^= 1;
      kit.files.put("/data/segment-000001.wal", bytes);
      kit.files.put("/data/segment-000077.wal", std::string(9000, 'x'));
      kit.files.put("/check/channel.checkpoint", "x");
    }
    const std::set<Operation> harmless{Operation::kRead, Operation::kSize, Operation::kList,
                                       Operation::kStatus};
    kit.files.on_operation([&](const FakeFileSystem::Call& call) {
      if (!is_live) {
        EXPECT_TRUE(harmless.contains(call.operation) || call.operation == Operation::kOpen);
      }
      EXPECT_NE(call.operation, Operation::kLock);
    });
    const ChannelView seen = view();
    kit.files.on_operation({});
    EXPECT_EQ(seen.found[0].headless.size(), is_live ? 0U : 1U);
    EXPECT_EQ(seen.is_live, is_live);
    channel->stop();
  }
}

TEST_F(ChannelViewTest, SaysWhyThereIsNoChannel) {
  EXPECT_NE(refusal().find("/data"), std::string::npos);
  ASSERT_TRUE(kit.files.create_directories("/data").ok());
  EXPECT_NE(refusal().find("there is no file channel in /data"), std::string::npos);
  kit.files.put("/data/log-1.meta", "");
  EXPECT_NE(refusal().find("Apache Flume"), std::string::npos);
  ASSERT_TRUE(kit.files.remove("/data/log-1.meta").ok());
  fill();
  channel->stop();
  ASSERT_TRUE(kit.files.create_directories("/other").ok());
  EXPECT_NE(refusal({{"/check"}, {"/other"}}).find("there is no file channel"), std::string::npos);
  SegmentHeader later;
  later.version = kSealedVersion + 1;
  kit.files.put("/data/segment-000009.wal", encode_segment_header(later));
  EXPECT_NE(refusal().find("format version"), std::string::npos);
}

TEST_F(ChannelViewTest, RefusesAPartOfAChannel) {
  open({{"dataDirs", "/data,/more"}});
  channel->stop();
  EXPECT_NE(refusal().find("a part of the channel is missing"), std::string::npos);
  EXPECT_EQ(refusal({{"/check"}, {"/more", "/data"}}), "");
}

}  // namespace
}  // namespace millrace::file_channel
