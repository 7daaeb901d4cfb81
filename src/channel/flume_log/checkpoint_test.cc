#include "channel/flume_log/checkpoint.h"

#include <gtest/gtest.h>

#include "channel/flume_log/flume_log_kit.h"

namespace millrace::flume_log {
namespace {

class FlumeCheckpointTest : public testing::Test {
 protected:
  FlumeCheckpointTest() { kit::put_checkpoint(files, "/c", checkpoint, 8, 10); }

  CheckpointReading read() { return read_flume_checkpoint(files, "/c").value(); }
  void expect_unusable(std::string_view why) {
    const CheckpointReading reading = read();
    EXPECT_FALSE(reading.checkpoint);
    EXPECT_NE(reading.why_not.find(why), std::string::npos) << reading.why_not;
  }

  const FlumeCheckpoint checkpoint{
      .order = 77,
      .queue = {{1, 0}, {1, 50}, {2, 7}},
      .puts = {{100, {{2, 10}, {2, 20}}}},
      .takes = {{-5, {{1, 90}}}, {101, {{1, 10}}}},
  };
  FakeFileSystem files;
};

TEST_F(FlumeCheckpointTest, ItsQueueGoesRoundTheEndOfTheRing) {
  const CheckpointReading reading = read();
  ASSERT_TRUE(reading.checkpoint) << reading.why_not;
  EXPECT_EQ(reading.checkpoint->order, 77);
  EXPECT_EQ(reading.checkpoint->queue, checkpoint.queue);
  EXPECT_EQ(reading.checkpoint->puts, checkpoint.puts);
  EXPECT_EQ(reading.checkpoint->takes, checkpoint.takes);
}

TEST_F(FlumeCheckpointTest, Version2NeedsNoMeta) {
  ASSERT_TRUE(files.remove("/c/checkpoint.meta").ok());
  files.put("/c/checkpoint", kit::checkpoint_file(checkpoint, 8, 10, 2));
  const CheckpointReading reading = read();
  ASSERT_TRUE(reading.checkpoint) << reading.why_not;
  EXPECT_EQ(reading.checkpoint->queue, checkpoint.queue);
}

TEST_F(FlumeCheckpointTest, FilesUnderWayThatAreEmptyOrMissingSayNothing) {
  files.put("/c/inflightputs", {});
  ASSERT_TRUE(files.remove("/c/inflighttakes").ok());
  const CheckpointReading reading = read();
  ASSERT_TRUE(reading.checkpoint) << reading.why_not;
  EXPECT_TRUE(reading.checkpoint->puts.empty());
  EXPECT_TRUE(reading.checkpoint->takes.empty());
}

TEST_F(FlumeCheckpointTest, OneThatIsNotWholeIsNotUsedAndSaysWhy) {
  files.put("/c/checkpoint", kit::checkpoint_file(checkpoint, 8, 10, 3, 1));
  expect_unusable("it was being written");
  FlumeCheckpoint newer = checkpoint;
  newer.order = 78;
  files.put("/c/checkpoint", kit::checkpoint_file(newer, 8, 10));
  expect_unusable("another checkpoint");
  files.put("/c/checkpoint", kit::checkpoint_file(checkpoint, 8, 10).substr(0, 9000));
  files.put("/c/checkpoint.meta", kit::checkpoint_meta(checkpoint, 1'000'000));
  expect_unusable("larger than its file");
  files.put("/c/checkpoint.meta", kit::checkpoint_meta(checkpoint, 8).substr(0, 12));
  expect_unusable("checkpoint.meta");
  ASSERT_TRUE(files.remove("/c/checkpoint.meta").ok());
  expect_unusable("checkpoint.meta: it is not there");
  files.put("/c/checkpoint", {});
  expect_unusable("cut off");
  ASSERT_TRUE(files.remove("/c/checkpoint").ok());
  expect_unusable("there is none");
}

TEST_F(FlumeCheckpointTest, AnyFlippedBitOfAnInflightFileIsSeen) {
  const std::string good = kit::inflight_file(checkpoint.takes);
  for (std::size_t bit = 0; bit < 8 * good.size(); ++bit) {
    std::string bad = good;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << bit % 8));
    EXPECT_FALSE(decode_inflight(bad).ok());
  }
}

TEST_F(FlumeCheckpointTest, AnErrorOfTheDiskIsNoReasonToReadTheWholeLog) {
  files.fail_next(FakeFileSystem::Operation::kRead, EIO);
  EXPECT_EQ(read_flume_checkpoint(files, "/c").error().fault(), Fault::kTransient);
}

}  // namespace
}  // namespace millrace::flume_log
