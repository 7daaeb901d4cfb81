// fsyncPerTransaction = false: what is answered before it is synced, and what becomes of it.
#include <gtest/gtest.h>

#include <cerrno>

#include "channel/file/file_channel_fixture.h"

namespace millrace {
namespace {

class UnsyncedFileChannelTest : public FileChannelTest {
 protected:
  void open_unsynced(const Keys& more = {}) {
    Keys keys{{"fsyncPerTransaction", "false"}, {"fsyncInterval", "3600"}};
    keys.insert(more.begin(), more.end());
    open(keys);
  }
  void kill() {
    kit.files.cut_power();
    channel.reset();
    kit.files.end_process();
  }
  BatchPtr large() { return kit.slabs.batch_of_bodies(Bodies(3, std::string(18'000, 'x'))); }
};

TEST_F(UnsyncedFileChannelTest, StopsWhenItsDiskIsGone) {
  open_unsynced();
  ASSERT_TRUE(put(kit.slabs.numbered(3)).ok());
  for (const Operation operation : {Operation::kWrite, Operation::kSync, Operation::kAllocate}) {
    kit.files.fail_always(operation, EIO);
  }
  EXPECT_FALSE(put(kit.slabs.numbered(1, "refused ")).ok());
  commit(*take(1));
  channel->stop();
  EXPECT_EQ(channel->counts().in_channel, 2U);
}

TEST_F(UnsyncedFileChannelTest, AStopSyncsAcknowledgementsToo) {
  open_unsynced({{"checkpointOnClose", "false"}});
  ASSERT_TRUE(put(kit.slabs.numbered(3)).ok());
  channel->stop();
  open_unsynced({{"checkpointOnClose", "false"}});
  commit(*take(1));
  channel->stop();
  kit.files.let_unsynced_survive(false);
  kit.files.crash();
  open_unsynced();
  EXPECT_EQ(drain(), (Bodies{"e1", "e2"}));
}

// Goal: a write that fails costs nothing that was answered before it.
TEST_F(UnsyncedFileChannelTest, ASegmentThatIsGivenUpIsSyncedFirst) {
  open_unsynced();
  ASSERT_TRUE(put(kit.slabs.numbered(1, "before ")).ok());
  kit.files.fail_next(Operation::kWrite, EIO);
  ASSERT_TRUE(put(kit.slabs.numbered(1, "behind ")).ok());
  channel->stop();
  kit.files.let_unsynced_survive(false);
  kit.files.crash();
  open_unsynced();
  EXPECT_EQ(drain(), (Bodies{"before 0", "behind 0"}));
}

// Goal: what was put, delivered and written over before any sync was noted still counts as put.
TEST_F(UnsyncedFileChannelTest, CountsWhatLeftBeforeItsSyncWasNoted) {
  open_unsynced();
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(put(large()).ok());
    drain();
  }
  const std::string path = "/check/channel.checkpoint";
  ASSERT_TRUE(testing_kit::eventually([&] { return !kit.files.text(path).empty(); }));
  const ChannelCounts before = channel->counts();
  kill();
  open_unsynced();
  EXPECT_EQ(channel->counts().put, before.put);
  expect_conserved();
}

}  // namespace
}  // namespace millrace
