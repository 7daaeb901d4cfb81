// Checkpoints in two dirs: which one a start uses, and that one is enough.
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>

#include "channel/file/checkpoint_file.h"
#include "channel/file/file_channel_fixture.h"

namespace millrace {
namespace {

const Keys kDual{{"useDualCheckpoints", "true"}, {"backupCheckpointDir", "/backup"}};
constexpr const char* kFirst = "/check/channel.checkpoint";
constexpr const char* kBackup = "/backup/channel.checkpoint";

class DualCheckpointTest : public FileChannelTest {
 protected:
  void damage(const std::string& path, const std::string& how) {
    std::string bytes = kit.files.text(path);
    ASSERT_FALSE(bytes.empty());
    if (how == "empty") {
      bytes.clear();
    } else if (how == "half") {
      bytes.resize(bytes.size() / 2);
    } else {
      bytes[bytes.size() / 2] ^= 1;
    }
    kit.files.put(path, bytes);
    if (how == "missing") {
      ASSERT_TRUE(kit.files.remove(path).ok());
    }
  }
  // More than ten segments.
  void put_many() {
    for (int i = 0; i < 60; ++i) {
      ASSERT_TRUE(put(kit.slabs.batch_of_bodies({std::string(10'000, 'x')})).ok());
    }
  }
  // How often a start reads from the log.
  std::uint64_t reads_of_a_start() {
    std::atomic<std::uint64_t> reads = 0;
    kit.files.on_operation([&](const FakeFileSystem::Call& call) {
      reads +=
          call.operation == Operation::kRead && call.path.string().starts_with("/data/segment");
    });
    open(kDual);
    kit.files.on_operation(nullptr);
    return reads;
  }
};

TEST_F(DualCheckpointTest, TheOtherIsUsedWhenOneIsDamaged) {
  for (const char* const damaged : {kFirst, kBackup}) {
    for (const char* const how : {"empty", "half", "bits", "missing"}) {
      SCOPED_TRACE(std::string(damaged) + " " + how);
      open(kDual);
      put_many();
      commit(*take(1));
      channel->stop();
      EXPECT_EQ(kit.files.text(kFirst), kit.files.text(kBackup));
      const std::uint64_t with_both = reads_of_a_start();
      channel->stop();
      damage(damaged, how);
      EXPECT_LT(reads_of_a_start(), with_both + 6);  // The last start has written a segment.
      EXPECT_EQ(channel->counts().in_channel, 59U);
      EXPECT_EQ(drain().size(), 59U);
      expect_conserved();
      channel->stop();
    }
  }
}

TEST_F(DualCheckpointTest, WithoutBothTheLogTells) {
  open(kDual);
  put_many();
  commit(*take(1));
  channel->stop();
  const std::uint64_t with_both = reads_of_a_start();
  channel->stop();
  damage(kFirst, "bits");
  damage(kBackup, "half");
  EXPECT_GT(reads_of_a_start(), with_both + 10);
  EXPECT_EQ(drain().size(), 59U);
}

// Goal: of two that can be read the newer one is used, whichever it is.
TEST_F(DualCheckpointTest, TheNewerOneIsUsed) {
  open(kDual);
  ASSERT_TRUE(put(kit.slabs.numbered(10)).ok());
  channel->stop();
  const std::string older = kit.files.text(kFirst);
  open(kDual);
  commit(*take(4));
  ASSERT_TRUE(put(kit.slabs.numbered(2, "f")).ok());
  channel->stop();
  const std::string newer = kit.files.text(kFirst);
  kit.files.put(kFirst, older);
  const std::vector<std::filesystem::path> dirs{"/check", "/backup"};
  auto read = file_channel::read_checkpoints(kit.files, "test", dirs);
  ASSERT_TRUE(read.ok());
  ASSERT_EQ(read->size(), 2U);
  EXPECT_EQ(encode_checkpoint(read->front()), newer);
  open(kDual);
  EXPECT_EQ(drain(), (Bodies{"e4", "e5", "e6", "e7", "e8", "e9", "f0", "f1"}));
}

// Goal: a checkpoint of a segment that was written over since is not used, and nothing comes twice.
TEST_F(DualCheckpointTest, OneThatDoesNotFitTheLogIsNotUsed) {
  open(kDual);
  ASSERT_TRUE(put(kit.slabs.numbered(3, "old ")).ok());
  channel->stop();
  const std::string stale = kit.files.text(kFirst);
  open(kDual);
  drain();
  for (int i = 0; i < 60; ++i) {
    ASSERT_TRUE(put(kit.slabs.batch_of_bodies({std::string(20'000, 'x')})).ok());
    drain();
  }
  ASSERT_TRUE(put(kit.slabs.numbered(2, "new ")).ok());
  channel->stop();
  kit.files.put(kFirst, stale);
  open(kDual);
  EXPECT_EQ(drain(), (Bodies{"new 0", "new 1"}));
  channel->stop();
  kit.files.put(kFirst, stale);
  damage(kBackup, "bits");
  ASSERT_NO_FATAL_FAILURE(open(kDual));
  EXPECT_EQ(drain(), Bodies{});
  expect_conserved();
}

TEST_F(DualCheckpointTest, OneDirIsEnough) {
  for (const char* const broken : {"/check", "/backup"}) {
    SCOPED_TRACE(broken);
    open(kDual);
    ASSERT_TRUE(put(kit.slabs.numbered(10)).ok());
    kit.files.fail_under(broken, EROFS);
    commit(*take(4));
    channel->stop();
    open(kDual);
    EXPECT_EQ(channel->counts().in_channel, 6U);
    channel->stop();
    kit.files.heal();
    open(kDual);
    EXPECT_EQ(drain(), (Bodies{"e4", "e5", "e6", "e7", "e8", "e9"}));
    channel->stop();
  }
  kit.files.fail_under("/check", EROFS);
  kit.files.fail_under("/backup", EACCES);
  make(kDual);
  EXPECT_EQ(channel->start().error().fault(), Fault::kTransient);
}

}  // namespace
}  // namespace millrace
