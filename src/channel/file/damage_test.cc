// Damaged checkpoints, records and headers: what is whole is delivered, nothing comes twice.
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>

#include "channel/file/file_channel_fixture.h"

namespace millrace {
namespace {

using testing_kit::bodies_of;

class FileChannelDamageTest : public FileChannelTest {
 protected:
  // The one that was made last.
  std::string newest_segment() {
    std::string newest;
    for (const std::string& name : kit.files.list("/data").value()) {
      if (name.ends_with(".wal")) {
        newest = "/data/" + name;
      }
    }
    return newest;
  }
};

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

// Flume: TestFileChannel#testChannelDiesOnCorruptEventNoFsync, where 99 of 100 come out; with a
// sync for each put Flume's channel closes its log instead (…Fsync). Here both go on.
class OneOfAHundredTest : public FileChannelDamageTest, public testing::WithParamInterface<bool> {};

TEST_P(OneOfAHundredTest, IsLostWhenItIsDamagedAndNoOther) {
  const Keys keys{{"fsyncPerTransaction", GetParam() ? "true" : "false"},
                  {"checkpointOnClose", "false"}};
  open(keys);
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(put(kit.slabs.batch_of_bodies({"event <" + std::to_string(i) + ">"})).ok());
  }
  channel->stop();
  int damaged = 0;
  for (const std::string& name : kit.files.list("/data").value()) {
    std::string bytes = name.ends_with(".wal") ? kit.files.text("/data/" + name) : "";
    if (const std::size_t at = bytes.find("event <42>"); at != std::string::npos) {
      bytes[at + 7] ^= 1;
      kit.files.put("/data/" + name, bytes);
      ++damaged;
    }
  }
  ASSERT_EQ(damaged, 1);
  open(keys);
  const Bodies bodies = drain();
  EXPECT_EQ(bodies.size(), 99U);
  EXPECT_EQ(std::count(bodies.begin(), bodies.end(), "event <42>"), 0);
  EXPECT_EQ(channel->counts().dropped, 1U);
  expect_conserved();
}

INSTANTIATE_TEST_SUITE_P(WithAndWithoutASyncForEachPut, OneOfAHundredTest, testing::Bool());

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

// Goal: a segment that was copied under another name gives its events once. Method: a copy beside
// the whole one, and beside one that was cut short.
TEST_F(FileChannelDamageTest, ACopyOfASegmentIsSetAside) {
  for (const bool cuts_original : {false, true}) {
    for (const bool with_checkpoint : {true, false}) {
      SCOPED_TRACE(testing::Message() << cuts_original << with_checkpoint);
      open();
      ASSERT_TRUE(put(kit.slabs.numbered(5)).ok());
      ASSERT_TRUE(put(kit.slabs.numbered(5, "f")).ok());
      commit(*take(2));
      const std::string path = newest_segment();
      channel->stop();
      std::string bytes = kit.files.text(path);
      kit.files.put("/data/segment-000077.wal", bytes);
      if (cuts_original) {
        kit.files.put(path, bytes.substr(0, 8192));
      }
      if (!with_checkpoint) {
        kit.files.put("/check/channel.checkpoint", "");
      }
      open();
      EXPECT_EQ(drain(), (Bodies{"e2", "e3", "e4", "f0", "f1", "f2", "f3", "f4"}));
      expect_conserved();
      channel->stop();
      std::size_t copies = 0;
      for (const std::string& name : kit.files.list("/data").value()) {
        if (name.ends_with(".copy")) {
          ++copies;
          ASSERT_TRUE(kit.files.remove("/data/" + name).ok());
        }
      }
      EXPECT_EQ(copies, 1U);
    }
  }
}

TEST_F(FileChannelDamageTest, ARecordThatIsThereTwiceIsDeliveredOnce) {
  open({{"checkpointOnClose", "false"}});
  ASSERT_TRUE(put(kit.slabs.numbered(5)).ok());
  ASSERT_TRUE(put(kit.slabs.numbered(5, "f")).ok());
  const std::string path = newest_segment();
  channel->stop();
  std::string bytes = kit.files.text(path);
  bytes.replace(12288, 4096, bytes.substr(4096, 4096));  // The first group, behind the second.
  kit.files.put(path, bytes);
  open();
  EXPECT_EQ(drain(), (Bodies{"e0", "e1", "e2", "e3", "e4", "f0", "f1", "f2", "f3", "f4"}));
  expect_conserved();
}

// Goal: a segment that lost its beginning is kept for people, and not written over.
TEST_F(FileChannelDamageTest, ASegmentWithoutItsFirstBlocksIsKept) {
  open({{"checkpointOnClose", "false"}});
  ASSERT_TRUE(put(kit.slabs.numbered(5)).ok());
  ASSERT_TRUE(put(kit.slabs.numbered(5, "f")).ok());
  const std::string path = newest_segment();
  channel->stop();
  std::string bytes = kit.files.text(path);
  std::fill_n(bytes.begin(), 8192, '\0');
  kit.files.put(path, bytes);
  open();
  EXPECT_EQ(drain(), Bodies{});
  ASSERT_TRUE(put(kit.slabs.numbered(1, "g")).ok());
  EXPECT_EQ(drain(), Bodies{"g0"});
  EXPECT_EQ(kit.files.text("/data/segment-000001.damaged"), bytes);
}

// Goal: a segment that is older than the checkpoint says, as from a backup, costs what it lacks and
// no more; the figures are exact.
TEST_F(FileChannelDamageTest, ASegmentOlderThanTheCheckpointCostsWhatItLacks) {
  open();
  ASSERT_TRUE(put(kit.slabs.numbered(5)).ok());
  const std::string path = newest_segment();
  const std::string older = kit.files.text(path);
  ASSERT_TRUE(put(kit.slabs.numbered(7, "f")).ok());
  channel->stop();
  kit.files.put(path, older);
  open();
  EXPECT_EQ(drain(), (Bodies{"e0", "e1", "e2", "e3", "e4"}));
  EXPECT_EQ(channel->counts().dropped, 7U);
  expect_conserved();
  ASSERT_TRUE(put(kit.slabs.numbered(1, "g")).ok());
  EXPECT_EQ(drain(), Bodies{"g0"});
}

// Goal: a segment that is gone costs its events and no others; they are counted.
TEST_F(FileChannelDamageTest, AMissingSegmentCostsItsEvents) {
  open();
  Bodies expected;
  for (int i = 0; i < 9; ++i) {
    expected.push_back(std::to_string(i) + std::string(20'000, 'x'));
    ASSERT_TRUE(put(kit.slabs.batch_of_bodies({expected.back()})).ok());
  }
  channel->stop();
  ASSERT_TRUE(kit.files.remove("/data/segment-000001.wal").ok());
  open();
  const Bodies left = drain();
  EXPECT_LT(left.size(), 9U);
  EXPECT_GT(left.size(), 3U);
  EXPECT_EQ(left,
            Bodies(expected.end() - static_cast<std::ptrdiff_t>(left.size()), expected.end()));
  EXPECT_EQ(channel->counts().dropped, 9 - left.size());
  expect_conserved();
}

// Goal: neither a stop nor a start hangs or fails for good, whatever single operation fails with
// whatever error. Method: each of them in turn fails once, then always until the stop.
TEST_F(FileChannelDamageTest, AnyFailingOperationIsLivedThrough) {
  const Operation operations[] = {
      Operation::kOpen,   Operation::kRead,          Operation::kWrite,    Operation::kSync,
      Operation::kSize,   Operation::kTruncate,      Operation::kAllocate, Operation::kRename,
      Operation::kRemove, Operation::kSyncDirectory, Operation::kList,     Operation::kFreeSpace};
  int round = 0;
  for (const Operation operation : operations) {
    for (const int error_number : {EIO, ENOSPC, EROFS}) {
      for (const bool always : {false, true}) {
        SCOPED_TRACE(testing::Message()
                     << static_cast<int>(operation) << " " << error_number << " " << always);
        const std::string name = std::to_string(round++);
        const Keys keys{{"dataDirs", "/data" + name}, {"checkpointDir", "/check" + name}};
        open(keys);
        ASSERT_TRUE(put(kit.slabs.numbered(3, "before ")).ok());
        commit(*take(1));
        kit.files.fail(operation, error_number, 0, always ? UINT64_MAX : 1);
        const bool was_taken = put(kit.slabs.numbered(2, "while ")).ok();
        channel->stop();
        make(keys);
        const bool started = channel->start().ok();
        channel->stop();
        kit.files.heal();
        ASSERT_NO_FATAL_FAILURE(open(keys)) << started;
        Bodies expected{"before 1", "before 2"};
        if (was_taken) {
          expected.insert(expected.end(), {"while 0", "while 1"});
        }
        Bodies got = drain();
        std::erase(got, "before 0");  // Its acknowledgement may not have come to the disk.
        if (!was_taken) {             // What was refused may be there all the same.
          std::erase_if(got, [](const std::string& body) { return body.starts_with("while"); });
        }
        EXPECT_EQ(got, expected);
        expect_conserved();
        channel->stop();
      }
    }
  }
}

}  // namespace
}  // namespace millrace
