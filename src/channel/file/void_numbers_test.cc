// Counts after a start without a checkpoint: what a put failed to write is not taken for delivered.
#include <gtest/gtest.h>

#include <cerrno>

#include "channel/file/file_channel_fixture.h"

namespace millrace {
namespace {

class VoidNumbersTest : public FileChannelTest {
 protected:
  void expect_counts(std::uint64_t put, std::uint64_t acknowledged) {
    const ChannelCounts counts = channel->counts();
    EXPECT_EQ(counts.put, put);
    EXPECT_EQ(counts.acknowledged, acknowledged);
    EXPECT_EQ(counts.dropped, 0U);
    expect_conserved();
  }
  void forget_checkpoint() { ASSERT_TRUE(kit.files.remove("/check/channel.checkpoint").ok()); }
  static BatchPtr large(testing_kit::Slabs& slabs) {
    return slabs.batch_of_bodies(Bodies(3, std::string(100'000, 'x')));  // A turn of its dir.
  }
};

TEST_F(VoidNumbersTest, APutThatFailedWasNoPut) {
  open();
  ASSERT_TRUE(put(kit.slabs.numbered(3)).ok());
  drain();
  kit.files.fail(Operation::kWrite, EIO, 0, UINT64_MAX, "/data");
  EXPECT_FALSE(put(kit.slabs.numbered(2, "refused ")).ok());
  kit.files.heal();
  ASSERT_TRUE(testing_kit::eventually([&] { return put(kit.slabs.numbered(4)).ok(); }));
  commit(*take(1));
  expect_counts(7, 4);
  channel->stop();
  forget_checkpoint();
  open();
  expect_counts(7, 4);
  EXPECT_EQ(drain().size(), 3U);
  expect_counts(7, 7);
}

// Goal: the same for a put that a power loss cut off, before one that another dir had made durable.
// Method: the first dir's sync waits until the power is gone. The next start, which has a
// checkpoint, acknowledges all numbers that are not in the channel once more; the one after it has
// none.
TEST_F(VoidNumbersTest, APutThatAKillCutOffWasNoPut) {
  const Keys two_dirs{{"dataDirs", "/a,/b"}};
  kit.files.let_unsynced_survive(false);
  open(two_dirs);
  ASSERT_TRUE(put(kit.slabs.numbered(2)).ok());
  channel->stop();
  open(two_dirs);
  std::promise<void> released;
  const std::shared_future<void> release = released.get_future().share();
  kit.files.on_operation([&](const FakeFileSystem::Call& call) {
    if (call.operation == Operation::kSync && call.path.string().starts_with("/a/segment")) {
      release.wait();
    }
  });
  const auto answer = std::make_shared<std::promise<bool>>();
  PutDone done = [answer](const Result<>& result) { answer->set_value(result.ok()); };
  ASSERT_EQ(channel->put(large(kit.slabs), done), PutStatus::kAccepted);
  ASSERT_TRUE(put(large(kit.slabs)).ok());
  kit.files.cut_power();
  released.set_value();
  channel.reset();
  EXPECT_FALSE(answer->get_future().get());
  kit.files.on_operation({});
  kit.files.restore_power();
  open(two_dirs);
  expect_counts(5, 0);
  drain();
  expect_counts(5, 5);
  channel->stop();
  forget_checkpoint();
  open(two_dirs);
  expect_counts(5, 5);
}

}  // namespace
}  // namespace millrace
