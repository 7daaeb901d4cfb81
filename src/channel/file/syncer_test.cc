#include "channel/file/syncer.h"

#include <gtest/gtest.h>

#include <atomic>

#include "core/testing.h"

namespace millrace::file_channel {
namespace {

// A file whose syncs end when, and as, the test says.
class GatedFile final : public File {
 public:
  using File::write_at;
  Result<> write_at(std::span<const iovec>, std::uint64_t) override { return {}; }
  Result<std::size_t> read_at(std::span<char>, std::uint64_t) const override {
    return std::size_t{0};
  }
  Result<> sync_data() override {
    ++begun;
    while (ended >= allowed) {
      std::this_thread::yield();
    }
    ++ended;
    return fails ? Result<>(transient("the disk is gone")) : Result<>();
  }
  Result<std::uint64_t> size() const override { return std::uint64_t{0}; }
  Result<FileStatus> status() const override { return FileStatus(); }
  Result<> truncate(std::uint64_t) override { return {}; }
  Result<> allocate(std::uint64_t) override { return {}; }

  std::atomic<int> begun = 0;
  std::atomic<int> ended = 0;
  std::atomic<int> allowed = 0;
  std::atomic<bool> fails = false;
};

class SyncerTest : public testing::Test {
 protected:
  void TearDown() override { file->allowed = 1000; }

  Syncer::Outcome outcome() {
    std::optional<Syncer::Outcome> found;
    EXPECT_TRUE(testing_kit::eventually([&] {
      found = syncer.take_outcome();
      return found.has_value();
    }));
    return found.value_or(Syncer::Outcome{});
  }
  void wait_until_begun(int syncs) {
    EXPECT_TRUE(testing_kit::eventually([&] { return file->begun == syncs; }));
  }

  std::shared_ptr<GatedFile> file = std::make_shared<GatedFile>();
  std::atomic<int> told = 0;
  Syncer syncer{[this] { ++told; }};
};

TEST_F(SyncerTest, OneSyncCoversAllThatWasAskedForMeanwhile) {
  syncer.request(file, 100);
  wait_until_begun(1);
  syncer.request(file, 200);
  syncer.request(file, 300);
  EXPECT_TRUE(syncer.busy());
  file->allowed = 1;
  EXPECT_EQ(outcome().end, 100U);
  wait_until_begun(2);
  file->allowed = 2;
  EXPECT_EQ(outcome().end, 300U);
  EXPECT_TRUE(testing_kit::eventually([&] { return told == 2; }));
  EXPECT_FALSE(syncer.busy());
  EXPECT_EQ(file->begun, 2);
}

// Goal: no second sync makes a failed one look well: the kernel has dropped those pages.
TEST_F(SyncerTest, AFailureHoldsForAllThatWasAskedForUntilItIsKnown) {
  file->fails = true;
  syncer.request(file, 100);
  wait_until_begun(1);
  syncer.request(file, 200);
  file->allowed = 1;
  EXPECT_TRUE(testing_kit::eventually([&] { return told == 1; }));
  syncer.request(file, 300);
  EXPECT_FALSE(syncer.busy());
  EXPECT_FALSE(outcome().result.ok());
  EXPECT_EQ(file->begun, 1);
}

TEST_F(SyncerTest, GoesOnAfterAFailure) {
  file->fails = true;
  file->allowed = 1;
  syncer.request(file, 100);
  EXPECT_FALSE(outcome().result.ok());
  file->fails = false;
  file->allowed = 2;
  syncer.request(file, 50);
  const Syncer::Outcome again = outcome();
  EXPECT_TRUE(again.result.ok());
  EXPECT_EQ(again.end, 50U);
}

}  // namespace
}  // namespace millrace::file_channel
