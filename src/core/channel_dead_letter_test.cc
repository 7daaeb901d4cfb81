#include "core/channel_dead_letter.h"

#include <gtest/gtest.h>

#include <thread>

#include "core/fake_channel.h"
#include "core/testing.h"

namespace millrace {
namespace {

class ChannelDeadLetterTest : public testing::Test {
 protected:
  Posted write(const BatchPtr& letters) {
    return ChannelDeadLetter("c2", channel, slabs.pool()).write(letters);
  }
  static std::string trouble(const Posted& posted) {
    return posted.outcome.ok() ? "" : posted.outcome.error().message();
  }

  testing_kit::Slabs slabs;
  std::shared_ptr<FakeChannel> channel = std::make_shared<FakeChannel>(100, 7);
};

TEST_F(ChannelDeadLetterTest, PutsInPiecesThatTheChannelTakes) {
  const Posted posted = write(slabs.numbered(20));
  EXPECT_EQ(trouble(posted), "");
  EXPECT_EQ(posted.events, 20u);
  EXPECT_EQ(channel->bodies(), testing_kit::bodies_of(*slabs.numbered(20)));
  EXPECT_EQ(channel->batch_sizes(), (std::vector<std::size_t>{7, 7, 6}));
}

TEST_F(ChannelDeadLetterTest, SaysHowFarItCameWhenTheChannelIsFull) {
  channel = std::make_shared<FakeChannel>(25, 100);
  const Posted posted = write(slabs.numbered(30));
  EXPECT_EQ(posted.events, 24u);  // Pieces of a tenth: two events.
  EXPECT_EQ(trouble(posted), "channel c2 is full");
  EXPECT_EQ(channel->bodies().size(), 24u);
}

TEST_F(ChannelDeadLetterTest, GivesAFullChannelAMoment) {
  ASSERT_EQ(write(slabs.numbered(98)).events, 98u);
  std::jthread sink([this] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    channel->make_room();
  });
  EXPECT_EQ(trouble(write(slabs.numbered(7))), "");
}

TEST_F(ChannelDeadLetterTest, WaitsUntilTheChannelHasCommitted) {
  channel->defer_answers();
  std::jthread committer([this] {
    ASSERT_TRUE(testing_kit::eventually([this] { return channel->unanswered() == 1; }));
    channel->answer({});
    ASSERT_TRUE(testing_kit::eventually([this] { return channel->unanswered() == 1; }));
    channel->answer(transient("the disk is full"));
  });
  const Posted posted = write(slabs.numbered(10));
  EXPECT_EQ(posted.events, 7u);
  EXPECT_EQ(trouble(posted), "the disk is full");
}

TEST_F(ChannelDeadLetterTest, AClosedChannelTakesNothing) {
  channel->set_closed(true);
  const Posted posted = write(slabs.numbered(3));
  EXPECT_EQ(posted.events, 0u);
  EXPECT_EQ(trouble(posted), "channel c2 is closed");
}

TEST_F(ChannelDeadLetterTest, WhatWaitsInTheChannelPinsNoMoreThanItNeeds) {
  const BatchPtr large =
      slabs.batch_of_bodies(std::vector<std::string>(20, std::string(10'000, 'x')));
  EXPECT_EQ(write(large->slice(0, 1)).events, 1u);
  EXPECT_LT(channel->take({100, 1 << 20}, {}, {})->batch->pinned_bytes(), 11'000u);
}

}  // namespace
}  // namespace millrace
