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
  const Reckoning found =
      reckon({}, LogIs::kReadAll, {ranges({{0, 10}, {15, 20}}), ranges({{0, 4}}), 2});
  EXPECT_EQ(found.live.all(), (std::vector<EventRange>{{4, 10}, {15, 20}}));
  EXPECT_EQ(found.next, 20U);
  EXPECT_EQ(found.void_numbers, 5U);
  EXPECT_EQ(found.dropped, 2U);
}

TEST(ReckoningTest, BehindACheckpointOnlyWhatItDidNotKnowCounts) {
  const auto checkpoint = checkpoint_of({{40, 60}}, {{80, 90}});
  // 30 to 40 had left before the checkpoint; of the puts in flight 80 to 85 became durable.
  const Reckoning found = reckon(checkpoint, LogIs::kReadOn,
                                 {ranges({{30, 60}, {80, 85}, {100, 110}}), ranges({{40, 50}}), 4});
  EXPECT_EQ(found.live.all(), (std::vector<EventRange>{{50, 60}, {80, 85}, {100, 110}}));
  EXPECT_EQ(found.next, 110U);
  EXPECT_EQ(found.void_numbers, 10U);
  EXPECT_EQ(found.dropped, 4U);
  EXPECT_EQ(found.lost, 0U);
}

TEST(ReckoningTest, WhatTheCheckpointKnewAndAnotherLogDoesNotHoldIsLost) {
  const auto checkpoint = checkpoint_of({{40, 60}}, {});
  const Reckoning found =
      reckon(checkpoint, LogIs::kReadAll, {ranges({{45, 60}}), ranges({{40, 42}}), 0});
  EXPECT_EQ(found.live.all(), (std::vector<EventRange>{{45, 60}}));
  EXPECT_EQ(found.lost, 3U);
  EXPECT_EQ(found.dropped, 6U);
  EXPECT_EQ(found.next, 100U);
}

// Goal: what a dir that nobody can read may hold is neither lost nor acknowledged, and its numbers
// are not given again.
TEST(ReckoningTest, WhatADirOutOfReachMayHoldStaysOpen) {
  const auto checkpoint = checkpoint_of({{40, 60}}, {{80, 90}});
  for (const LogIs log_is : {LogIs::kPartlyRead, LogIs::kPartlyReadAlone}) {
    const Reckoning found =
        reckon(checkpoint, log_is,
               {ranges({{45, 60}, {80, 85}, {105, 110}}), ranges({{40, 42}, {85, 86}}), 0});
    EXPECT_EQ(found.live.all(), (std::vector<EventRange>{{42, 60}, {80, 85}, {105, 110}}));
    EXPECT_EQ(found.out_of_reach.all(), (std::vector<EventRange>{{42, 45}}));
    EXPECT_EQ(found.unknown.all(),
              (std::vector<EventRange>{{86, 90}, {100, 105}, {110, found.next}}));
    EXPECT_GT(found.next, std::uint64_t{1} << 32);
    EXPECT_EQ(found.lost, 0U);
    EXPECT_EQ(found.void_numbers, 5U);
  }
}

}  // namespace
}  // namespace millrace::file_channel
