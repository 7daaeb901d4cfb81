// Damaged checkpoints, records and headers: what is whole is delivered, nothing comes twice.
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>

#include "channel/file/file_channel_fixture.h"

namespace millrace {
namespace {

using testing_kit::bodies_of;

class FileChannelDamageTest : public FileChannelTest {};

TEST_F(FileChannelDamageTest, ADamagedCheckpointCostsALongerStartOnly) {
  for (const std::string damage : {"empty", "half", "bits", "missing"}) {
    SCOPED_TRACE(damage);
    open();
    ASSERT_TRUE(put(kit.slabs.numbered(10)).ok());
    commit(*take(4));
    channel->stop();
    std::string bytes = kit.files.text("/check/channel.checkpoint");
    ASSERT_FALSE(bytes.empty());
    if (damage == "empty") {
      bytes.clear();
    } else if (damage == "half") {
      bytes.resize(bytes.size() / 2);
    } else {
      bytes[bytes.size() / 2] ^= 1;
    }
    kit.files.put("/check/channel.checkpoint", bytes);
    if (damage == "missing") {
      ASSERT_TRUE(kit.files.remove("/check/channel.checkpoint").ok());
    }
    open();
    EXPECT_EQ(drain(), (Bodies{"e4", "e5", "e6", "e7", "e8", "e9"}));
  }
}

// Goal: what a checkpoint alone knew to have left does not come again when the next one is damaged.
// Method: an acknowledgement that the log has no room for, an orderly stop, a start with and one
// without the checkpoint.
TEST_F(FileChannelDamageTest, TheLogLearnsWhatOnlyTheCheckpointKnew) {
  open();
  ASSERT_TRUE(put(kit.slabs.numbered(3)).ok());
  kit.files.fail_next(Operation::kWrite, EIO);
  kit.files.fail_always(Operation::kAllocate, ENOSPC);
  EXPECT_FALSE(put(kit.slabs.numbered(1, "refused ")).ok());
  commit(*take(1));
  channel->stop();
  kit.files.heal();
  open();
  EXPECT_EQ(channel->counts().in_channel, 2U);
  channel->stop();
  kit.files.put("/check/channel.checkpoint", "");
  open();
  EXPECT_EQ(drain(), (Bodies{"e1", "e2"}));
  expect_conserved();
}

// Case 33 of the field: the newest file is cut 7 bytes before its last byte that is not zero.
TEST_F(FileChannelDamageTest, ACutOffRecordLosesTheEventThatWasHit) {
  open({{"checkpointOnClose", "false"}});
  ASSERT_TRUE(put(kit.slabs.numbered(50, "a body of some length ")).ok());
  channel->stop();
  const std::string path = "/data/segment-000001.wal";
  std::string bytes = kit.files.text(path);
  bytes.resize(bytes.find_last_not_of('\0') + 1 - 7);
  kit.files.put(path, bytes);
  open();
  const Bodies bodies = drain();
  EXPECT_EQ(bodies.size(), 49U);
  EXPECT_EQ(bodies.back(), "a body of some length 48");
  EXPECT_EQ(channel->counts().dropped, 1U);
  ASSERT_TRUE(put(kit.slabs.batch_of_bodies({"fresh"})).ok());
  EXPECT_EQ(drain(), Bodies{"fresh"});
  expect_conserved();
}

TEST_F(FileChannelDamageTest, OfADamagedRecordOnlyTheEventsHitAreLost) {
  open({{"checkpointOnClose", "false"}});
  ASSERT_TRUE(put(kit.slabs.numbered(9)).ok());
  ASSERT_TRUE(put(kit.slabs.numbered(3, "f")).ok());
  channel->stop();
  const std::string path = "/data/segment-000001.wal";
  std::string bytes = kit.files.text(path);
  const std::size_t record_bytes = bytes.find("e8") + 2 - 4096;
  bytes[bytes.find("e5") + 1] ^= 4;
  bytes[bytes.find("e8")] ^= 64;
  kit.files.put(path, bytes);
  open();
  EXPECT_EQ(drain(), (Bodies{"e0", "e1", "e2", "e3", "e4", "e6", "e7", "f0", "f1", "f2"}));
  EXPECT_EQ(channel->counts().dropped, 2U);
  expect_conserved();
  EXPECT_EQ(kit.files.contents("/data/quarantine"), Bodies{bytes.substr(4096, record_bytes)});
}

TEST_F(FileChannelDamageTest, ADestroyedRecordHeaderCostsThatRecord) {
  open();
  for (const char* prefix : {"a", "b", "c"}) {
    ASSERT_TRUE(put(kit.slabs.numbered(3, prefix)).ok());
  }
  channel->stop();
  for (const bool with_checkpoint : {true, false}) {
    const std::string path = "/data/segment-000001.wal";
    std::string bytes = kit.files.text(path);
    std::fill_n(bytes.begin() + 8192, 40, '\x55');  // The second group.
    kit.files.put(path, bytes);
    if (!with_checkpoint) {
      kit.files.put("/check/channel.checkpoint", "");
    }
    open();
    const std::optional<Lease> lease = take();
    EXPECT_EQ(bodies_of(*lease->batch), (Bodies{"a0", "a1", "a2"}));
    const std::optional<Lease> second = take();
    EXPECT_EQ(bodies_of(*second->batch), (Bodies{"c0", "c1", "c2"}));
    const Lease both[] = {*lease, *second};
    channel->roll_back(both);
    if (with_checkpoint) {
      EXPECT_EQ(channel->counts().dropped, 3U);
    }
    expect_conserved();
    EXPECT_EQ(kit.files.contents("/data/quarantine"), Bodies{bytes.substr(8192, 4096)});
  }
}

}  // namespace
}  // namespace millrace
