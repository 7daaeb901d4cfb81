#include "channel/file/reckoning.h"

#include <gtest/gtest.h>

namespace millrace::file_channel {
namespace {

EventRanges ranges(const std::vector<EventRange>& parts) {
  EventRanges all;
  for (const EventRange& part : parts) {
    all.add(part);
  }
  return all;
}

Checkpoint checkpoint_of(std::vector<EventRange> live, std::vector<EventRange> in_flight) {
  Checkpoint checkpoint;
  checkpoint.next = 100;
  checkpoint.dropped = 3;
  checkpoint.void_numbers = 5;
  checkpoint.live = std::move(live);
  checkpoint.in_flight = std::move(in_flight);
  return checkpoint;
}

TEST(ReckoningTest, TheLogAloneTellsWhatIsInTheChannel) {
  const Reckoning found = reckon({}, false, {ranges({{0, 10}, {15, 20}}), ranges({{0, 4}}), 2});
  EXPECT_EQ(found.live.all(), (std::vector<EventRange>{{4, 10}, {15, 20}}));
  EXPECT_EQ(found.next, 20U);
  EXPECT_EQ(found.void_numbers, 5U);
  EXPECT_EQ(found.dropped, 2U);
}

TEST(ReckoningTest, BehindACheckpointOnlyWhatItDidNotKnowCounts) {
  const auto checkpoint = checkpoint_of({{40, 60}}, {{80, 90}});
  // 30 to 40 had left before the checkpoint; of the puts in flight 80 to 85 became durable.
  const Reckoning found =
      reckon(checkpoint, true, {ranges({{30, 60}, {80, 85}, {100, 110}}), ranges({{40, 50}}), 4});
  EXPECT_EQ(found.live.all(), (std::vector<EventRange>{{50, 60}, {80, 85}, {100, 110}}));
  EXPECT_EQ(found.next, 110U);
  EXPECT_EQ(found.void_numbers, 10U);
  EXPECT_EQ(found.dropped, 4U);
  EXPECT_EQ(found.lost, 0U);
}

// Goal: of numbers that are acknowledged and in no put some were delivered, and some never put.
TEST(ReckoningTest, TheLogTellsFailedPutsFromDeliveredOnes) {
  const EventRanges puts = ranges({{90, 100}, {105, 110}});
  const EventRanges acks = ranges({{0, 95}});
  // Below 80 there were 7; 100 to 105 is in no record.
  const Reckoning found = reckon({}, false, {puts, acks, 0, {80, 7}});
  EXPECT_EQ(found.void_numbers, 12U);
  // A checkpoint that does not fit the log, but goes further.
  const auto checkpoint = checkpoint_of({}, {{85, 90}, {96, 100}});
  EXPECT_EQ(reckon(checkpoint, false, {puts, acks, 0, {80, 7}}).void_numbers, 10U);
  EXPECT_EQ(reckon(checkpoint, false, {puts, acks, 0, {102, 9}}).void_numbers, 12U);
  // One that fits knows better.
  EXPECT_EQ(reckon(checkpoint, true, {puts, acks, 0, {102, 9}}).void_numbers, 15U);
}

// Goal: counts add up when a failed put came back because its acknowledgement was lost.
TEST(ReckoningTest, WhatIsThereWasPut) {
  const Reckoning found = reckon({}, false, {ranges({{0, 10}}), {}, 0, {10, 10}});
  EXPECT_EQ(found.live.count(), 10U);
  EXPECT_EQ(found.void_numbers, 0U);
}

TEST(ReckoningTest, WhatTheCheckpointKnewAndAnotherLogDoesNotHoldIsLost) {
  const auto checkpoint = checkpoint_of({{40, 60}}, {});
  const Reckoning found = reckon(checkpoint, false, {ranges({{45, 60}}), ranges({{40, 42}}), 0});
  EXPECT_EQ(found.live.all(), (std::vector<EventRange>{{45, 60}}));
  EXPECT_EQ(found.lost, 3U);
  EXPECT_EQ(found.dropped, 6U);
  EXPECT_EQ(found.next, 100U);
}

}  // namespace
}  // namespace millrace::file_channel
