// fsyncPerTransaction = false: what is answered before it is synced, and what becomes of it.
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <functional>

#include "channel/file/checkpoint.h"
#include "channel/file/file_channel_fixture.h"

namespace millrace {
namespace {

using file_channel::Checkpoint;

class UnsyncedFileChannelTest : public FileChannelTest {
 protected:
  void open_unsynced(const Keys& more = {}) {
    Keys keys{{"fsyncPerTransaction", "false"}, {"fsyncInterval", "3600"}};
    keys.insert(more.begin(), more.end());
    open(keys);
  }
  const std::string checkpoint = "/check/channel.checkpoint";

  // All that was not synced is gone.
  void lose_power() {
    kit.files.let_unsynced_survive(false);
    kit.files.cut_power();
    channel.reset();
    kit.files.restore_power();
  }
  bool eventually_checkpointed(const std::function<bool(const Checkpoint&)>& holds) {
    return testing_kit::eventually([&] {
      auto written = file_channel::decode_checkpoint(kit.files.text(checkpoint));
      return written.ok() && holds(*written);
    });
  }
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
  ASSERT_TRUE(put(kit.slabs.numbered(1, "first ")).ok());  // A segment's first group is synced.
  ASSERT_TRUE(put(kit.slabs.numbered(1, "before ")).ok());
  kit.files.fail_next(Operation::kWrite, EIO);
  ASSERT_TRUE(put(kit.slabs.numbered(1, "behind ")).ok());
  channel->stop();
  kit.files.let_unsynced_survive(false);
  kit.files.crash();
  open_unsynced();
  EXPECT_EQ(drain(), (Bodies{"first 0", "before 0", "behind 0"}));
}

// Goal: what was put and delivered before any sync still counts as put, when the power takes it.
TEST_F(UnsyncedFileChannelTest, CountsWhatLeftBeforeItsSync) {
  open_unsynced({{"checkpointInterval", "1"}});
  ASSERT_TRUE(put(kit.slabs.numbered(3)).ok());  // A segment's first group is synced.
  ASSERT_TRUE(put(kit.slabs.numbered(1, "unsynced ")).ok());
  drain();
  ASSERT_TRUE(eventually_checkpointed(
      [](const Checkpoint& written) { return written.next == 4 && written.live.empty(); }));
  lose_power();
  open_unsynced();
  EXPECT_EQ(channel->counts().put, 4U);
  EXPECT_EQ(drain(), Bodies());
  expect_conserved();
}

// Goal: a power loss does not make a checkpoint useless. Method: it knows alone of what has left,
// and speaks of a segment that no sync by time has reached.
TEST_F(UnsyncedFileChannelTest, ACheckpointFitsAfterAPowerLoss) {
  open_unsynced({{"checkpointInterval", "1"}});
  ASSERT_TRUE(put(kit.slabs.numbered(3)).ok());
  commit(*take(1));
  ASSERT_TRUE(eventually_checkpointed([](const Checkpoint& written) {
    return written.live == std::vector{file_channel::EventRange{1, 3}};
  }));
  lose_power();
  open_unsynced();
  EXPECT_EQ(drain(), (Bodies{"e1", "e2"}));
}

// Goal: a checkpoint from before a power loss, which comes back after a start without it, does not
// take new events for those that had their numbers. Method: as when its disk was away for a life.
TEST_F(UnsyncedFileChannelTest, AnOutdatedCheckpointIsNotBelieved) {
  open_unsynced({{"checkpointInterval", "1"}});
  ASSERT_TRUE(put(kit.slabs.numbered(3)).ok());
  ASSERT_TRUE(put(kit.slabs.numbered(5, "unsynced ")).ok());
  drain();
  ASSERT_TRUE(eventually_checkpointed(
      [](const Checkpoint& written) { return written.next == 8 && written.live.empty(); }));
  lose_power();
  const std::string outdated = kit.files.text(checkpoint);
  kit.files.put(checkpoint, "");
  open_unsynced({{"checkpointOnClose", "false"}});
  EXPECT_EQ(drain(), (Bodies{"e0", "e1", "e2"}));  // No acknowledgement was synced.
  ASSERT_TRUE(put(kit.slabs.numbered(2, "new ")).ok());
  channel->stop();
  kit.files.put(checkpoint, outdated);
  open_unsynced();
  EXPECT_EQ(drain(), (Bodies{"new 0", "new 1"}));
  expect_conserved();
}

}  // namespace
}  // namespace millrace
