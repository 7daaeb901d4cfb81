#include "channel/file/file_channel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cerrno>

#include "channel/file/file_channel_fixture.h"

namespace millrace {
namespace {

using namespace std::chrono_literals;
using testing_kit::bodies_of;
using testing_kit::eventually;

TEST_F(FileChannelTest, GivesBackInOrderWhatWasPut) {
  open();
  ASSERT_TRUE(put(kit.slabs.batch_of({{"a", {{"k", "v"}}}, {"b", {}}})).ok());
  ASSERT_TRUE(put(kit.slabs.batch_of_bodies({"c"})).ok());
  const std::optional<Lease> lease = take();
  ASSERT_TRUE(lease);
  EXPECT_EQ(bodies_of(*lease->batch), (Bodies{"a", "b"}));
  EXPECT_EQ(testing_kit::headers_of((*lease->batch)[0]), (testing_kit::HeaderList{{"k", "v"}}));
  commit(*lease);
  EXPECT_EQ(drain(), Bodies{"c"});
  EXPECT_EQ(channel->counts().acknowledged, 3U);
  expect_conserved();
}

TEST_F(FileChannelTest, KeepsWhatWasNotCommittedAcrossARestart) {
  open();
  ASSERT_TRUE(put(kit.slabs.batch_of({{"a", {{"k", "v"}}}, {"b", {{"k", "v"}}}})).ok());
  ASSERT_TRUE(put(kit.slabs.batch_of_bodies({"c"})).ok());
  commit(*take(1));
  open();
  EXPECT_EQ(channel->counts().in_channel, 2U);
  const std::optional<Lease> lease = take();
  ASSERT_TRUE(lease);
  EXPECT_EQ(bodies_of(*lease->batch)[0], "b");
  EXPECT_EQ(testing_kit::headers_of((*lease->batch)[0]), (testing_kit::HeaderList{{"k", "v"}}));
  channel->roll_back({&*lease, 1});
  EXPECT_EQ(drain(), (Bodies{"b", "c"}));
  open();
  EXPECT_EQ(drain(), Bodies{});
  EXPECT_EQ(channel->counts().put, 3U);
  EXPECT_EQ(channel->counts().acknowledged, 3U);
  expect_conserved();
}

TEST_F(FileChannelTest, KeepsWhatItCommittedAcrossAPowerLoss) {
  open({{"checkpointOnClose", "false"}});
  Bodies expected;
  for (int i = 0; i < 200; ++i) {
    expected.push_back("event " + std::to_string(i) + std::string(700, 'x'));
    ASSERT_TRUE(put(kit.slabs.batch_of_bodies({expected.back()})).ok());
  }
  kit.files.crash();
  open();
  EXPECT_EQ(drain(), expected);
}

TEST_F(FileChannelTest, DoesNotRepeatWhatWasAcknowledgedLongAgo) {
  open({{"checkpointOnClose", "false"}});
  for (int i = 0; i < 500; ++i) {
    ASSERT_TRUE(put(kit.slabs.batch_of_bodies({std::string(900, 'x')})).ok());
    drain();
  }
  // The last acknowledgement is durable with the next group at the latest.
  ASSERT_TRUE(put(kit.slabs.batch_of_bodies({"last"})).ok());
  kit.files.crash();
  open();
  EXPECT_EQ(drain(), Bodies{"last"});
  EXPECT_LT(kit.files.list("/data").value().size(), 14U);  // Segments were used again.
}

TEST_F(FileChannelTest, ReadsBackWhatMemoryDoesNotHold) {
  open({{"transactionCapacity", "1000"}}, 1 << 16);
  Bodies expected;
  for (int i = 0; i < 100; ++i) {
    Bodies batch;
    for (int j = 0; j < 20; ++j) {
      batch.push_back(std::to_string(i * 20 + j) + std::string(300, 'y'));
    }
    ASSERT_TRUE(put(kit.slabs.batch_of_bodies(batch)).ok());
    expected.insert(expected.end(), batch.begin(), batch.end());
  }
  EXPECT_EQ(drain(), expected);
  ASSERT_TRUE(put(kit.slabs.batch_of_bodies({"again"})).ok());
  EXPECT_EQ(drain(), Bodies{"again"});
  expect_conserved();
}

TEST_F(FileChannelTest, HoldsRefusedEventsWithoutBlockingOthers) {
  open();
  ASSERT_TRUE(put(kit.slabs.numbered(4)).ok());
  std::optional<Lease> lease = take();
  const HeldEvent held[] = {{0, 2}, {0, 0}};
  channel->commit({&*lease, 1}, held, kit.clock.steady() + 10s);
  EXPECT_EQ(channel->counts().held, 2U);
  ASSERT_TRUE(put(kit.slabs.batch_of_bodies({"next"})).ok());
  EXPECT_EQ(drain(), Bodies{"next"});
  kit.clock.advance(11s);
  lease = take();
  EXPECT_EQ(bodies_of(*lease->batch), Bodies{"e0"});
  channel->roll_back({&*lease, 1});
  open();
  EXPECT_EQ(drain(), (Bodies{"e0", "e2"}));
  expect_conserved();
}

// A sink's group of transactions has leases with held events and without.
TEST_F(FileChannelTest, HoldsWhatOneCommitOfManyLeasesNames) {
  open();
  std::vector<Lease> leases;
  std::vector<HeldEvent> held;
  for (std::uint32_t i = 0; i < 100; ++i) {
    ASSERT_TRUE(put(kit.slabs.numbered(3, std::to_string(i) + ".")).ok());
  }
  for (std::uint32_t i = 0; i < 100; ++i) {
    leases.push_back(*take(3));
    if (i % 3 == 1) {
      held.push_back({i, 1});
    } else if (i % 3 == 2) {
      held.push_back({i, 0});
      held.push_back({i, 2});
    }
  }
  channel->commit(leases, held, kit.clock.steady() + 10s);
  EXPECT_EQ(channel->counts().held, 99U);
  EXPECT_EQ(channel->counts().acknowledged, 201U);
  kit.clock.advance(11s);
  const Bodies bodies = drain();
  ASSERT_EQ(bodies.size(), 99U);
  EXPECT_EQ(bodies[0], "1.1");
  EXPECT_EQ(bodies[1], "2.0");
  EXPECT_EQ(bodies[2], "2.2");
  EXPECT_EQ(bodies[98], "98.2");
  expect_conserved();
}

TEST_F(FileChannelTest, AChannelFullOfHeldEventsPushesBackUntilOneLeaves) {
  open({{"capacity", "10"}, {"transactionCapacity", "10"}});
  ASSERT_TRUE(put(kit.slabs.numbered(10)).ok());
  std::optional<Lease> lease = take(10);
  std::vector<HeldEvent> held;
  for (std::uint32_t i = 0; i < 10; ++i) {
    held.push_back({0, i});
  }
  channel->commit({&*lease, 1}, held, kit.clock.steady() + 10s);
  PutDone done = [](const Result<>&) {};
  EXPECT_EQ(channel->put(kit.slabs.numbered(1), done), PutStatus::kFull);
  bool woken = false;
  channel->when_room([&] { woken = true; });
  kit.clock.advance(11s);
  lease = take(10);
  channel->commit({&*lease, 1}, std::span(held).first(lease->batch->size() - 1),
                  kit.clock.steady() + 10s);
  EXPECT_TRUE(woken);
  EXPECT_TRUE(put(kit.slabs.numbered(1)).ok());
  expect_conserved();
}

// Goal: a sink that refuses everything does not fill the memory. Method: a share of 16 KiB, and
// held events of 200 KiB, which come back as they were.
TEST_F(FileChannelTest, ReadsHeldEventsBackThatMemoryDoesNotHold) {
  open({}, 1 << 14);
  Bodies expected;
  for (int i = 0; i < 200; ++i) {
    expected.push_back(std::to_string(i) + std::string(1000, 'h'));
    ASSERT_TRUE(put(kit.slabs.batch_of_bodies({expected.back()})).ok());
  }
  while (const std::optional<Lease> lease = take(7)) {
    std::vector<HeldEvent> held;
    for (std::uint32_t i = 0; i < lease->batch->size(); ++i) {
      held.push_back({0, i});
    }
    channel->commit({&*lease, 1}, held, kit.clock.steady() + 10s);
  }
  EXPECT_EQ(channel->counts().held, 200U);
  EXPECT_LT(kit.slabs.budget().used(), std::size_t{2} << 20);
  kit.clock.advance(11s);
  Bodies bodies = drain();
  std::sort(bodies.begin(), bodies.end());
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(bodies, expected);
  expect_conserved();
}

TEST_F(FileChannelTest, IsFullAtItsCapacityAndWakesAtHalf) {
  open({{"capacity", "10"}, {"transactionCapacity", "5"}});
  ASSERT_TRUE(put(kit.slabs.numbered(5)).ok());
  ASSERT_TRUE(put(kit.slabs.numbered(5)).ok());
  PutDone done = [](const Result<>&) {};
  EXPECT_EQ(channel->put(kit.slabs.numbered(1), done), PutStatus::kFull);
  bool woken = false;
  channel->when_room([&] { woken = true; });
  const std::optional<Lease> first = take(4);
  EXPECT_FALSE(woken);
  commit(*first);
  EXPECT_FALSE(woken);
  commit(*take(1));
  EXPECT_TRUE(woken);
  EXPECT_EQ(channel->put(kit.slabs.numbered(1), done), PutStatus::kAccepted);
}

// Flume: TestFileChannel#testCapacity.
TEST_F(FileChannelTest, EachCommittedEventMakesRoomForOne) {
  open({{"capacity", "5"}, {"transactionCapacity", "5"}});
  PutDone done = [](const Result<>&) {};
  ASSERT_TRUE(put(kit.slabs.numbered(5)).ok());
  EXPECT_EQ(channel->put(kit.slabs.numbered(1), done), PutStatus::kFull);
  commit(*take(1));
  ASSERT_TRUE(put(kit.slabs.numbered(1, "sixth ")).ok());
  EXPECT_EQ(channel->put(kit.slabs.numbered(1), done), PutStatus::kFull);
  EXPECT_EQ(drain(), (Bodies{"e1", "e2", "e3", "e4", "sixth 0"}));
}

// Flume: TestFileChannel#testReconfigure.
TEST_F(FileChannelTest, LosesNothingInTenRestartsWithOtherSettings) {
  for (int cycle = 0; cycle < 10; ++cycle) {
    open({{"capacity", std::to_string(1000 + cycle)},
          {"transactionCapacity", std::to_string(10 + cycle)},
          {"checkpointOnClose", cycle % 2 == 0 ? "true" : "false"}});
    ASSERT_TRUE(put(kit.slabs.numbered(10, std::to_string(cycle) + " ")).ok());
    commit(*take(5));
  }
  open();
  const Bodies left = drain();
  ASSERT_EQ(left.size(), 50U);
  EXPECT_EQ(left.front(), "5 0");
  EXPECT_EQ(left.back(), "9 9");
  expect_conserved();
}

TEST_F(FileChannelTest, AFailedSyncMovesTheGroupToAnotherSegment) {
  open();
  ASSERT_TRUE(put(kit.slabs.batch_of_bodies({"a"})).ok());
  kit.files.fail_next(Operation::kSync, EIO);
  ASSERT_TRUE(put(kit.slabs.batch_of_bodies({"b"})).ok());
  ASSERT_TRUE(put(kit.slabs.batch_of_bodies({"c"})).ok());
  kit.files.crash();
  open();
  EXPECT_EQ(drain(), (Bodies{"a", "b", "c"}));
}

TEST_F(FileChannelTest, RefusesPutsWhileTheDiskFailsAndHeals) {
  open();
  ASSERT_TRUE(put(kit.slabs.batch_of_bodies({"a"})).ok());
  kit.files.fail_always(Operation::kSync, EIO);
  EXPECT_FALSE(put(kit.slabs.batch_of_bodies({"b"})).ok());
  EXPECT_FALSE(channel->health().ok());
  PutDone done = [](const Result<>&) {};
  EXPECT_EQ(channel->put(kit.slabs.batch_of_bodies({"c"}), done), PutStatus::kFull);
  std::atomic<bool> woken = false;
  channel->when_room([&] { woken = true; });
  EXPECT_EQ(drain(), Bodies{"a"});
  kit.files.heal();
  EXPECT_TRUE(eventually([&] { return woken.load(); }));
  EXPECT_TRUE(put(kit.slabs.batch_of_bodies({"d"})).ok());
  EXPECT_TRUE(channel->health().ok());
  EXPECT_EQ(drain(), Bodies{"d"});
  open();
  EXPECT_EQ(drain(), Bodies{});
  expect_conserved();
}

TEST_F(FileChannelTest, AFullDiskRefusesPutsTakesGoOnAndItHeals) {
  kit.files.set_room(1048576 + 300'000);
  open();
  Bodies expected;
  Result<> last;
  for (int i = 0; i < 2000; ++i) {
    const std::string body = std::to_string(i) + std::string(1000, 'z');
    last = put(kit.slabs.batch_of_bodies({body}));
    if (!last.ok()) {
      break;
    }
    expected.push_back(body);
  }
  ASSERT_FALSE(last.ok());
  EXPECT_GT(expected.size(), 40U);
  EXPECT_EQ(drain(), expected);
  EXPECT_TRUE(eventually([&] { return put(kit.slabs.batch_of_bodies({"more"})).ok(); }));
  EXPECT_EQ(drain(), Bodies{"more"});
}

TEST_F(FileChannelTest, TakesBatchesLargerThanASegment) {
  open();
  const Bodies expected{std::string(300'000, 'a'), std::string(200'000, 'b'), "c"};
  ASSERT_TRUE(put(kit.slabs.batch_of_bodies(expected)).ok());
  ASSERT_TRUE(put(kit.slabs.batch_of_bodies({"d"})).ok());
  kit.files.crash();
  open();
  EXPECT_EQ(drain(), (Bodies{expected[0], expected[1], "c", "d"}));
}

TEST_F(FileChannelTest, WithoutASyncForEachPutItStillKeepsAllAtAStop) {
  open({{"fsyncPerTransaction", "false"}, {"fsyncInterval", "3600"}});
  EXPECT_FALSE(channel->durable());
  ASSERT_TRUE(put(kit.slabs.numbered(10)).ok());
  commit(*take(3));
  channel->stop();
  kit.files.let_unsynced_survive(false);
  kit.files.crash();
  open();
  EXPECT_EQ(drain().size(), 7U);
}

}  // namespace
}  // namespace millrace
