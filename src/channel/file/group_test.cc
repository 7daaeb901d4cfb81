#include "channel/file/group.h"

#include <gtest/gtest.h>

#include "channel/file/state.h"
#include "core/testing_services.h"

namespace millrace::file_channel {
namespace {

// Goal: acknowledgements count as durable only when all up to them are, whichever data dir is
// faster. Method: two lanes without their threads, and groups that end as we say.
class GroupTest : public testing::Test {
 protected:
  void SetUp() override {
    for (int i = 0; i < 2; ++i) {
      state.lanes.push_back(std::make_unique<Lane>());
    }
  }
  void acknowledge(EventRange range) { state.add_acks({&range, 1}); }
  Group& take(std::size_t lane) {
    return take_group(state, *state.lanes[lane], true, std::make_unique<Group>());
  }
  void succeed(std::size_t lane, Group& group) {
    group.place = {std::make_shared<Segment>(), kFirstRecord, 2 * kFirstRecord, true};
    EXPECT_EQ(groups_succeeded(state, *state.lanes[lane], 2 * kFirstRecord).size(), 1U);
  }

  testing_kit::TestServices kit;
  State state{Options(), kit.services, kit.metrics.group("CHANNEL", "c1")};
};

TEST_F(GroupTest, AFasterLaneDoesNotSpeakForASlowerOne) {
  acknowledge({0, 5});
  const std::uint64_t wanted = state.ack_requests;
  Group& slow = take(0);
  acknowledge({7, 8});
  Group& fast = take(1);
  succeed(1, fast);
  EXPECT_LT(state.acks_durable(), wanted);
  succeed(0, slow);
  EXPECT_EQ(state.acks_durable(), state.ack_requests);
}

TEST_F(GroupTest, WhatAFailedGroupHeldGoesWithTheNext) {
  acknowledge({0, 5});
  const std::uint64_t wanted = state.ack_requests;
  const std::vector<EventRange> acks = take(0).acks;
  lane_failed(state, *state.lanes[0], transient("the disk is gone"));
  EXPECT_LT(state.acks_durable(), wanted);
  Group& again = take(1);
  EXPECT_EQ(again.acks, acks);
  succeed(1, again);
  EXPECT_GE(state.acks_durable(), wanted);
}

TEST_F(GroupTest, NothingToAcknowledgeIsDurableAtOnce) {
  state.add_acks({});
  EXPECT_EQ(state.acks_durable(), state.ack_requests);
}

}  // namespace
}  // namespace millrace::file_channel
