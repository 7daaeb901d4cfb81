#include <gtest/gtest.h>

#include "source/sequence_generator.h"
#include "source/source_fixture.h"
#include "source/stress.h"

namespace millrace {
namespace {

class GeneratorsTest : public SourceFixture {};

// Flume 1.11, TestSequenceGeneratorSource, testBatch.
TEST_F(GeneratorsTest, SequenceCountsInBatches) {
  start<SequenceGeneratorSource>({{"totalEvents", "10"}, {"batchSize", "3"}});
  ASSERT_TRUE(collected(10));
  EXPECT_EQ(bodies(), (std::vector<std::string>{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}));
  EXPECT_EQ(batch_sizes, (std::vector<std::size_t>{3, 3, 3, 1}));
  EXPECT_TRUE(testing_kit::eventually([&] { return metric("AppendBatchAcceptedCount") == 4; }));
}

TEST_F(GeneratorsTest, SequenceLosesNothingWhileTheChannelIsFull) {
  use_channel(std::make_shared<CollectingChannel>(10, 10));
  start<SequenceGeneratorSource>({{"totalEvents", "1000"}, {"batchSize", "7"}});
  ASSERT_TRUE(collected(1000));
  for (std::size_t i = 0; i < 1000; ++i) {
    EXPECT_EQ(events[i].body, std::to_string(i));
  }
}

TEST_F(GeneratorsTest, SequenceWaitsWhileTheMemoryForEventsIsSpent) {
  limit_memory(SlabPool::kSlabBytes * 3);
  start<SequenceGeneratorSource>({{"totalEvents", "500000"}, {"batchSize", "1000"}});
  EXPECT_TRUE(waits_for_memory());
  ASSERT_TRUE(collected(500'000));
  EXPECT_TRUE(has_memory());
  EXPECT_EQ(events.back().body, "499999");
}

// Flume 1.11, TestStressSource: limits are exact, the last batch is cut.
TEST_F(GeneratorsTest, StressStopsAtItsLimits) {
  start<StressSource>({{"maxTotalEvents", "35"}, {"batchSize", "10"}, {"size", "3"}});
  ASSERT_TRUE(collected(35));
  EXPECT_EQ(batch_sizes, (std::vector<std::size_t>{10, 10, 10, 5}));
  EXPECT_EQ(events.back().body, "\x7f\x7f\x7f");
}

TEST_F(GeneratorsTest, StressWaitsWhileTheMemoryForEventsIsSpent) {
  limit_memory(SlabPool::kSlabBytes * 3);
  start<StressSource>({{"maxTotalEvents", "20"}, {"batchSize", "1"}, {"size", "200000"}});
  EXPECT_TRUE(waits_for_memory());
  ASSERT_TRUE(collected(20));
  EXPECT_TRUE(has_memory());
}

TEST_F(GeneratorsTest, StressCountsWhatTheChannelsAccepted) {
  start<StressSource>({{"maxSuccessfulEvents", "25"}, {"batchSize", "10"}, {"size", "0"}});
  ASSERT_TRUE(collected(25));
  EXPECT_EQ(batch_sizes, (std::vector<std::size_t>{10, 10, 5}));
}

TEST_F(GeneratorsTest, StressKeepsItsRate) {
  const auto begin = clock.steady();
  start<StressSource>(
      {{"maxTotalEvents", "100"}, {"batchSize", "5"}, {"maxEventsPerSecond", "200"}});
  ASSERT_TRUE(collected(100));
  EXPECT_GE(clock.steady() - begin, std::chrono::milliseconds(300));
}

TEST_F(GeneratorsTest, StressTakesANegativeRateForNoLimitAsFlumeDoes) {
  start<StressSource>({{"maxTotalEvents", "100"}, {"maxEventsPerSecond", "-1"}});
  EXPECT_TRUE(collected(100));
}

TEST_F(GeneratorsTest, RefuseBadKeys) {
  EXPECT_EQ(faults<SequenceGeneratorSource>({{"batchSize", "0"}, {"totalEvents", "-1"}}), 2u);
  EXPECT_EQ(faults<StressSource>({{"batchSize", "0"}}), 1u);
}

}  // namespace
}  // namespace millrace
