#include "channel/pseudo_txn_memory.h"

#include <gtest/gtest.h>

#include "core/testing_services.h"

namespace millrace {
namespace {

using Bodies = std::vector<std::string>;

class PseudoTxnMemoryTest : public testing::Test {
 protected:
  std::unique_ptr<Channel> make(const PropertySection& keys) {
    const auto* entry =
        ChannelRegistry::instance().find("org.apache.flume.channel.PseudoTxnMemoryChannel");
    auto prepared = entry->prepare(keys, diagnostics, common_channel_keys());
    if (!prepared) {
      return nullptr;
    }
    EXPECT_FALSE(prepared->events_per_transaction) << "Flume holds no batch against it";
    auto channel = prepared->make(
        {"c1", kit.services, kit.metrics.group("CHANNEL", "c1"), std::size_t{1} << 20});
    EXPECT_TRUE(channel->start().ok());
    return channel;
  }
  PutStatus put(Channel& channel, std::size_t events) {
    PutDone done = [](const Result<>&) {};
    return channel.put(kit.slabs.numbered(events), done);
  }

  testing_kit::TestServices kit;
  Diagnostics diagnostics;
};

TEST_F(PseudoTxnMemoryTest, HoldsFiftyEventsUnlessToldOtherwise) {
  const auto channel = make({});
  EXPECT_EQ(channel->capacity(), 50u);
  EXPECT_EQ(channel->transaction_capacity(), 50u);
  EXPECT_EQ(channel->keep_alive(), std::chrono::seconds(3));
  EXPECT_EQ(put(*channel, 50), PutStatus::kAccepted);
  EXPECT_EQ(put(*channel, 1), PutStatus::kFull);
}

TEST_F(PseudoTxnMemoryTest, WhatASinkFailedAtComesAgain) {
  const auto channel = make({{"capacity", "3"}, {"keep-alive", "1"}});
  EXPECT_EQ(channel->keep_alive(), std::chrono::seconds(1));
  ASSERT_EQ(put(*channel, 3), PutStatus::kAccepted);
  for (int i = 0; i < 2; ++i) {
    const auto lease = channel->take({10, std::size_t{1} << 20}, {}, {});
    ASSERT_TRUE(lease);
    EXPECT_EQ(testing_kit::bodies_of(*lease->batch), (Bodies{"e0", "e1", "e2"}));
    channel->roll_back({&*lease, 1});
  }
}

TEST_F(PseudoTxnMemoryTest, RefusesABadCapacity) {
  EXPECT_EQ(make({{"capacity", "0"}}), nullptr);
  EXPECT_TRUE(diagnostics.has_errors());
}

}  // namespace
}  // namespace millrace
