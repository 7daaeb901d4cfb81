#include "channel/memory.h"

#include <gtest/gtest.h>

#include <array>
#include <numeric>

#include "core/testing.h"
#include "io/event_loop.h"

namespace millrace {
namespace {

using namespace std::chrono_literals;
using testing_kit::bodies_of;
using Bodies = std::vector<std::string>;

class MemoryChannelTest : public testing::Test {
 protected:
  void make(const PropertySection& keys, std::size_t memory_share = 1 << 30) {
    Diagnostics diagnostics;
    const std::optional<MemoryChannelConfig> config =
        bind<MemoryChannelConfig>(keys, diagnostics, common_channel_keys());
    ASSERT_TRUE(config) << diagnostics.to_string();
    channel = std::make_unique<MemoryChannel>(
        *config, ChannelContext{"c1", services, metrics, memory_share});
    ASSERT_TRUE(channel->start().ok());
  }
  PutStatus put(const BatchPtr& batch) {
    PutDone done = [this](const Result<>& result) { committed += result.ok() ? 1 : 0; };
    return channel->put(batch, done);
  }
  std::optional<Lease> take(std::size_t events = 1000) {
    return channel->take({events, std::size_t{1} << 30}, {}, {});
  }
  // 405 bytes cost 5 slots of 100.
  BatchPtr bodies_of_405(std::size_t count) {
    return slabs.batch_of_bodies(Bodies(count, std::string(405, 'x')));
  }
  void expect_conserved() {
    const ChannelCounts counts = channel->counts();
    EXPECT_EQ(counts.put, counts.acknowledged + counts.dropped + counts.held + counts.in_channel);
  }

  testing_kit::Slabs slabs;
  SystemClock clock;
  MetricsRegistry registry;
  MetricGroup& metrics = registry.group("CHANNEL", "c1");
  EventLoop loop{"test"};
  Services services{clock, real_file_system(), slabs.pool(), registry, loop};
  std::unique_ptr<MemoryChannel> channel;
  int committed = 0;
};

TEST_F(MemoryChannelTest, GivesBackInOrderWhatWasPut) {
  make({{"capacity", "100"}, {"transactionCapacity", "10"}});
  EXPECT_EQ(put(slabs.batch_of_bodies({"a", "b"})), PutStatus::kAccepted);
  EXPECT_EQ(put(slabs.batch_of_bodies({"c"})), PutStatus::kAccepted);
  EXPECT_EQ(committed, 2);
  EXPECT_EQ(bodies_of(*take()->batch), (Bodies{"a", "b"}));
  EXPECT_EQ(bodies_of(*take()->batch), Bodies{"c"});
  EXPECT_FALSE(take());
}

// Goal: a lease ends at the event that reaches the bytes, and has one event at least. Method: of
// ten events with 100 bytes each, limits around two and a half of them, none and a whole batch.
TEST_F(MemoryChannelTest, ALeaseEndsAtTheEventThatReachesItsBytes) {
  make({{"capacity", "100"}, {"transactionCapacity", "100"}});
  std::vector<std::string> bodies;
  for (char letter = 'a'; letter < 'k'; ++letter) {
    bodies.emplace_back(100, letter);
  }
  ASSERT_EQ(put(slabs.batch_of_bodies(bodies)), PutStatus::kAccepted);
  Bodies seen;
  std::vector<std::size_t> sizes;
  for (const std::size_t limit : {250UL, 200UL, 0UL, 10'000UL}) {
    const auto lease = channel->take({1000, limit}, {}, {});
    ASSERT_TRUE(lease);
    sizes.push_back(lease->batch->size());
    const Bodies part = bodies_of(*lease->batch);
    seen.insert(seen.end(), part.begin(), part.end());
    channel->commit({&*lease, 1}, {}, {});
  }
  EXPECT_EQ(sizes, (std::vector<std::size_t>{3, 2, 1, 4}));
  EXPECT_EQ(seen, bodies);
  EXPECT_FALSE(take());
  expect_conserved();
}

// Flume: TestMemoryChannel#testCapacityOverload.
TEST_F(MemoryChannelTest, IsFullAtItsCapacity) {
  make({{"capacity", "5"}, {"transactionCapacity", "3"}});
  EXPECT_EQ(put(slabs.numbered(3)), PutStatus::kAccepted);
  EXPECT_EQ(put(slabs.numbered(3)), PutStatus::kFull);
  EXPECT_EQ(put(slabs.numbered(2)), PutStatus::kAccepted);
}

// Flume: TestMemoryChannel#testCapacityBufferEmptyingAfterTakeCommit and …AfterRollback.
TEST_F(MemoryChannelTest, OnlyACommittedTakeMakesRoom) {
  make({{"capacity", "3"}, {"transactionCapacity", "3"}});
  put(slabs.numbered(3));
  std::optional<Lease> lease = take(1);
  channel->roll_back({&*lease, 1});
  EXPECT_EQ(put(slabs.numbered(1)), PutStatus::kFull);
  lease = take(1);
  channel->commit({&*lease, 1}, {}, {});
  EXPECT_EQ(put(slabs.numbered(1)), PutStatus::kAccepted);
  expect_conserved();
}

// Flume: TestMemoryChannel#testByteCapacityOverload: 2000 bytes less 20 % are 16 slots.
TEST_F(MemoryChannelTest, CountsBytesInSlotsOfAHundred) {
  make({{"capacity", "100"}, {"transactionCapacity", "10"}, {"byteCapacity", "2000"}});
  EXPECT_EQ(put(bodies_of_405(3)), PutStatus::kAccepted);
  EXPECT_EQ(put(bodies_of_405(1)), PutStatus::kFull);
  std::optional<Lease> lease = take(1);
  channel->commit({&*lease, 1}, {}, {});
  EXPECT_EQ(put(bodies_of_405(1)), PutStatus::kAccepted);
}

// Flume: TestMemoryChannel#testByteCapacityAfterRollback: 1000 bytes less 20 % are 8 slots. Here a
// put is not rolled back, it is refused.
TEST_F(MemoryChannelTest, ARefusedPutTakesNoSlots) {
  make({{"capacity", "100"}, {"transactionCapacity", "10"}, {"byteCapacity", "1000"}});
  EXPECT_EQ(put(bodies_of_405(1)), PutStatus::kAccepted);
  EXPECT_EQ(put(bodies_of_405(1)), PutStatus::kFull);
  EXPECT_EQ(put(slabs.batch_of_bodies(Bodies(3, std::string(100, 'x')))), PutStatus::kAccepted);
  EXPECT_EQ(put(slabs.batch_of_bodies({"x"})), PutStatus::kFull);
  expect_conserved();
}

TEST_F(MemoryChannelTest, TheShareOfTheBudgetStandsInForByteCapacity) {
  make({{"capacity", "100"}, {"transactionCapacity", "10"}}, 2000);
  EXPECT_EQ(put(bodies_of_405(3)), PutStatus::kAccepted);
  EXPECT_EQ(put(bodies_of_405(1)), PutStatus::kFull);
}

// Flume: TestMemoryChannel#testNegativeCapacities.
TEST_F(MemoryChannelTest, NegativeCapacitiesMeanTheDefaults) {
  make({{"capacity", "-3"}, {"transactionCapacity", "-1"}});
  EXPECT_EQ(channel->capacity(), 100u);
  EXPECT_EQ(channel->transaction_capacity(), 100u);
}

TEST(MemoryChannelConfigTest, TransactionsLargerThanTheChannelAreRefused) {
  Diagnostics diagnostics;
  EXPECT_FALSE(bind<MemoryChannelConfig>({{"capacity", "10"}, {"transactionCapacity", "11"}},
                                         diagnostics, common_channel_keys()));
  EXPECT_NE(diagnostics.to_string().find("11"), std::string::npos);
}

TEST_F(MemoryChannelTest, RollBackKeepsTheOrder) {
  make({{"capacity", "100"}, {"transactionCapacity", "10"}});
  put(slabs.batch_of_bodies({"a", "b"}));
  put(slabs.batch_of_bodies({"c"}));
  const std::vector<Lease> leases = {*take(), *take()};
  channel->roll_back(leases);
  EXPECT_EQ(bodies_of(*take()->batch), (Bodies{"a", "b"}));
}

TEST_F(MemoryChannelTest, WhoWaitedForRoomIsWokenAtHalf) {
  make({{"capacity", "10"}, {"transactionCapacity", "10"}});
  put(slabs.numbered(10));
  EXPECT_EQ(put(slabs.numbered(1)), PutStatus::kFull);
  int woken = 0;
  channel->when_room([&] { ++woken; });
  std::optional<Lease> lease = take(4);
  channel->commit({&*lease, 1}, {}, {});
  EXPECT_EQ(woken, 0);
  lease = take(1);
  channel->commit({&*lease, 1}, {}, {});
  EXPECT_EQ(woken, 1);
}

TEST_F(MemoryChannelTest, RoomThatCameBeforeTheQuestionIsSeen) {
  make({{"capacity", "10"}, {"transactionCapacity", "10"}});
  put(slabs.numbered(10));
  EXPECT_EQ(put(slabs.numbered(10)), PutStatus::kFull);
  std::optional<Lease> lease = take(9);
  channel->commit({&*lease, 1}, {}, {});
  int woken = 0;
  channel->when_room([&] { ++woken; });
  EXPECT_EQ(woken, 1);
}

TEST_F(MemoryChannelTest, HeldEventsStayAndDoNotBlock) {
  make({{"capacity", "10"}, {"transactionCapacity", "10"}});
  put(slabs.batch_of_bodies({"a", "bad", "b"}));
  put(slabs.batch_of_bodies({"c"}));
  std::optional<Lease> lease = take();
  const HeldEvent held[] = {{0, 1}};
  channel->commit({&*lease, 1}, held, std::chrono::steady_clock::now() + 50ms);
  EXPECT_EQ(channel->counts().held, 1u);
  expect_conserved();
  EXPECT_EQ(bodies_of(*take()->batch), Bodies{"c"});
  lease = channel->take({10, 1 << 20}, std::chrono::steady_clock::now() + 10s, {});
  ASSERT_TRUE(lease);
  EXPECT_EQ(bodies_of(*lease->batch), Bodies{"bad"});
  channel->commit({&*lease, 1}, {}, {});
  expect_conserved();
  EXPECT_EQ(channel->counts().held, 0u);
}

// What held events leave free is used, however little that is; a channel full of them pushes back.
TEST_F(MemoryChannelTest, HeldEventsDoNotKeepASourceAsleep) {
  make({{"capacity", "10"}, {"transactionCapacity", "10"}});
  put(slabs.numbered(7, "bad"));
  std::optional<Lease> lease = take();
  const std::vector<HeldEvent> held = {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}, {0, 6}};
  channel->commit({&*lease, 1}, held, std::chrono::steady_clock::now() + 1h);
  put(slabs.numbered(3));
  EXPECT_EQ(put(slabs.numbered(2)), PutStatus::kFull);
  int woken = 0;
  channel->when_room([&] { ++woken; });
  lease = take(1);
  channel->commit({&*lease, 1}, {}, {});
  EXPECT_EQ(woken, 0) << "room for one";
  lease = take(1);
  channel->commit({&*lease, 1}, {}, {});
  EXPECT_EQ(woken, 1);
  EXPECT_EQ(put(slabs.numbered(2)), PutStatus::kAccepted);
  EXPECT_EQ(put(slabs.numbered(1)), PutStatus::kFull);
  expect_conserved();
}

TEST_F(MemoryChannelTest, HeldEventsPinNoMoreThanTheyNeed) {
  make({{"capacity", "100"}, {"transactionCapacity", "100"}});
  put(slabs.batch_of_bodies(Bodies(50, std::string(10'000, 'x'))));
  std::optional<Lease> lease = take();
  const HeldEvent held[] = {{0, 49}};
  channel->commit({&*lease, 1}, held, {});
  lease = take();
  ASSERT_TRUE(lease);
  EXPECT_LT(lease->batch->pinned_bytes(), 11'000u);
}

TEST_F(MemoryChannelTest, DroppedEventsAreCountedAsDropped) {
  make({{"capacity", "10"}, {"transactionCapacity", "10"}});
  put(slabs.numbered(3));
  std::optional<Lease> lease = take();
  channel->count_dropped(1);
  channel->commit({&*lease, 1}, {}, {});
  EXPECT_EQ(channel->counts().dropped, 1u);
  EXPECT_EQ(channel->counts().acknowledged, 2u);
  expect_conserved();
}

TEST_F(MemoryChannelTest, AStoppedChannelRefusesAndKeepsItsContents) {
  make({{"capacity", "10"}, {"transactionCapacity", "10"}});
  put(slabs.numbered(2));
  bool woken = false;
  put(slabs.numbered(10));
  channel->when_room([&] { woken = true; });
  channel->stop();
  EXPECT_TRUE(woken);
  EXPECT_EQ(put(slabs.numbered(1)), PutStatus::kClosed);
  ASSERT_TRUE(channel->start().ok());
  EXPECT_EQ(take()->batch->size(), 2u);
}

// Many sources and sinks at once: every event comes out once. TSan runs this.
TEST_F(MemoryChannelTest, LosesAndRepeatsNothingUnderLoad) {
  make({{"capacity", "200"}, {"transactionCapacity", "50"}});
  constexpr int kPutters = 3;
  constexpr int kBatches = 300;
  // What a taker still uses after the last commit outlives all threads.
  struct Putter {
    testing_kit::Slabs slabs;
    std::atomic<bool> room{false};
  };
  std::array<Putter, kPutters> putters;
  std::atomic<std::size_t> taken{0};
  std::vector<std::jthread> threads;
  for (Putter& putter : putters) {
    threads.emplace_back([this, &putter] {
      for (int i = 0; i < kBatches; ++i) {
        const BatchPtr batch = putter.slabs.numbered(1 + static_cast<std::size_t>(i) % 50);
        for (;;) {
          PutDone done = [](const Result<>&) {};
          if (channel->put(batch, done) == PutStatus::kAccepted) {
            break;
          }
          putter.room = false;
          channel->when_room([&putter] {
            putter.room = true;
            putter.room.notify_one();
          });
          putter.room.wait(false);
        }
      }
      EXPECT_TRUE(testing_kit::eventually([this] { return channel->counts().in_channel == 0; }));
    });
  }
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([&](const std::stop_token& stop) {
      int turn = 0;
      while (!stop.stop_requested()) {
        std::optional<Lease> lease =
            channel->take({17, 1 << 20}, std::chrono::steady_clock::now() + 10ms, stop);
        if (!lease) {
          continue;
        }
        if (++turn % 7 == 0) {
          channel->roll_back({&*lease, 1});
        } else {
          taken += lease->batch->size();
          const Lease last = std::move(*lease);
          lease.reset();
          channel->commit({&last, 1}, {}, {});
        }
      }
    });
  }
  for (int p = 0; p < kPutters; ++p) {
    threads[static_cast<std::size_t>(p)].join();
  }
  std::size_t expected = 0;
  for (int i = 0; i < kBatches; ++i) {
    expected += 1 + static_cast<std::size_t>(i) % 50;
  }
  EXPECT_EQ(taken, expected * kPutters);
  for (std::size_t t = kPutters; t < threads.size(); ++t) {
    threads[t].request_stop();
    threads[t].join();
  }
  expect_conserved();
}

}  // namespace
}  // namespace millrace
