// fsyncPerTransaction = false: what is answered before it is synced, and what becomes of it.
#include <gtest/gtest.h>

#include <atomic>
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

// Goal: a stop comes to its end, however much is not synced and not acknowledged. Method: the disk
// takes nothing; a segment is tried when the channel closes, and once more if it was just tried.
TEST_F(UnsyncedFileChannelTest, StopsWhenItsDiskIsGone) {
  open_unsynced();
  ASSERT_TRUE(put(kit.slabs.numbered(3)).ok());
  for (const Operation operation : {Operation::kWrite, Operation::kSync, Operation::kAllocate}) {
    kit.files.fail_always(operation, EIO);
  }
  EXPECT_FALSE(put(kit.slabs.numbered(1, "refused ")).ok());
  commit(*take(1));
  std::atomic<int> tries = 0;
  kit.files.on_operation([&](const FakeFileSystem::Call& call) {
    tries += call.operation == Operation::kAllocate ? 1 : 0;
  });
  channel->stop();
  kit.files.on_operation({});
  EXPECT_GE(tries, 1);
  EXPECT_LE(tries, 2);
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
// Method: two dirs, a segment for each put; acknowledgements go to the first dir, and with them its
// syncs. The second one's segments are freed by checkpoints all the same.
TEST_F(UnsyncedFileChannelTest, CountsWhatLeftBeforeItsSyncWasNoted) {
  const Keys two_dirs{{"dataDirs", "/a,/b"}};
  open_unsynced(two_dirs);
  const std::string path = "/check/channel.checkpoint";
  for (int round = 0; round < 8; ++round) {
    const std::string before = kit.files.text(path);
    for (int i = 0; i < 5; ++i) {  // A turn of a dir.
      ASSERT_TRUE(put(large()).ok());
      drain();
    }
    ASSERT_TRUE(testing_kit::eventually([&] { return kit.files.text(path) != before; }));
  }
  ASSERT_LT(kit.files.contents("/b").size(), 20U);  // Some were written over.
  const ChannelCounts before = channel->counts();
  kill();
  open_unsynced(two_dirs);
  EXPECT_EQ(channel->counts().put, before.put);
  expect_conserved();
}

}  // namespace
}  // namespace millrace
