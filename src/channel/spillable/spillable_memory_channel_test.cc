#include "channel/spillable/spillable_memory_channel.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "channel/spillable/spillable_fixture.h"
#include "core/registry.h"

namespace millrace {
namespace {

using namespace std::chrono_literals;
using testing_kit::bodies_of;
using testing_kit::eventually;

constexpr auto kMemory = std::optional<bool>(true);
constexpr auto kLog = std::optional<bool>(false);
constexpr auto kFull = std::optional<bool>();

// Flume: TestSpillableMemoryChannel#testCapacityWithOverflow.
TEST_F(SpillableTest, SpillsWhatMemoryDoesNotHoldAndKeepsTheOrder) {
  open({{"memoryCapacity", "2"}, {"overflowCapacity", "4"}, {"transactionCapacity", "3"}});
  EXPECT_EQ(put({"a", "b"}), kMemory);
  EXPECT_EQ(put({"c", "d"}), kLog);
  EXPECT_EQ(put({"e", "f"}), kLog);
  EXPECT_EQ(put({"g"}), kFull);
  EXPECT_EQ(channel->capacity(), 6U);
  EXPECT_EQ(channel->counts().in_channel, 6U);
  EXPECT_EQ(drain(), (Bodies{"a", "b", "c", "d", "e", "f"}));
  EXPECT_EQ(put({"g"}), kMemory);
  EXPECT_EQ(drain(), Bodies{"g"});
  expect_conserved();
}

// Flume: #testCapacityDisableOverflow.
TEST_F(SpillableTest, WithoutOverflowItIsFullWhenMemoryIs) {
  open({{"memoryCapacity", "2"}, {"overflowCapacity", "0"}});
  EXPECT_FALSE(channel->durable());
  EXPECT_EQ(channel->transaction_capacity(), 2U);
  EXPECT_EQ(put({"a", "b"}), kMemory);
  EXPECT_EQ(put({"c"}), kFull);
  EXPECT_FALSE(kit.files.exists("/data"));
  EXPECT_EQ(drain(), (Bodies{"a", "b"}));
}

TEST_F(SpillableTest, WithoutMemoryItIsAFileChannel) {
  open({{"memoryCapacity", "0"}});
  EXPECT_EQ(put({"a"}), kLog);
  kill();
  open({{"memoryCapacity", "0"}});
  EXPECT_EQ(drain(), Bodies{"a"});
}

// Flume: #testByteCapacity: 100 bytes less 20 % are 8 slots of 10.
TEST_F(SpillableTest, CountsBytesInSlotsOfTheAverageEvent) {
  open({{"byteCapacity", "100"}, {"avgEventSize", "10"}});
  EXPECT_EQ(put({std::string(35, 'x')}), kMemory);  // 4.
  EXPECT_EQ(put({std::string(41, 'x')}), kLog);     // 5.
  EXPECT_EQ(put({std::string(40, 'x')}), kMemory);
  EXPECT_EQ(put({""}), kLog);
  EXPECT_EQ(drain().size(), 4U);
  EXPECT_EQ(put({std::string(80, 'x')}), kMemory);
}

// Flume: #testDrainOrder. Method: memory and log in turn, batches as the sink likes them.
TEST_F(SpillableTest, GivesBackInOrderAcrossManyBoundaries) {
  open({{"memoryCapacity", "3"}});
  Bodies expected;
  Bodies taken;
  int in_memory = 0;
  int in_log = 0;
  for (int i = 0; i < 200; ++i) {
    expected.push_back(std::to_string(i));
    const std::optional<bool> place = put({expected.back()});
    ASSERT_TRUE(place);
    ++(*place ? in_memory : in_log);
    if (i % 3 == 2) {
      const std::optional<Lease> lease = take(1 + static_cast<std::size_t>(i) % 2);
      const Bodies bodies = bodies_of(*lease->batch);
      taken.insert(taken.end(), bodies.begin(), bodies.end());
      commit(*lease);
    }
  }
  const Bodies rest = drain();
  taken.insert(taken.end(), rest.begin(), rest.end());
  EXPECT_EQ(taken, expected);
  EXPECT_GT(in_memory, 3);
  EXPECT_GT(in_log, 3);
  expect_conserved();
}

TEST_F(SpillableTest, RollBackReturnsBothKindsInTheirPlaces) {
  open({{"memoryCapacity", "2"}});
  put({"a", "b"});
  put({"c", "d"});
  const std::vector<Lease> leases = {*take(), *take()};
  EXPECT_EQ(bodies_of(*leases[1].batch), (Bodies{"c", "d"}));
  channel->commit({leases.data(), 0}, {}, {});
  channel->roll_back(leases);
  EXPECT_EQ(drain(), (Bodies{"a", "b", "c", "d"}));
}

// Flume: #testRestart, where memory is lost. Here an orderly stop keeps all, in order: also what is
// held or leased, and what lay before and behind events of the log.
TEST_F(SpillableTest, AStopWritesWhatIsInMemory) {
  for (const char* on_close : {"true", "false"}) {
    SCOPED_TRACE(on_close);
    const Keys keys{{"memoryCapacity", "4"}, {"checkpointOnClose", on_close}};
    open(keys);
    EXPECT_EQ(put({"held", "leased", "x", "a"}), kMemory);
    EXPECT_EQ(put({"b", "c"}), kLog);
    std::optional<Lease> lease = take(1);
    const HeldEvent held[] = {{0, 0}};
    channel->commit({&*lease, 1}, held, kit.clock.steady() + 10s);
    const std::optional<Lease> kept = take(1);
    EXPECT_EQ(bodies_of(*kept->batch), Bodies{"leased"});
    commit(*take(1));
    EXPECT_EQ(put({"d"}), kMemory);
    EXPECT_EQ(put({"e"}), kLog);
    channel->stop();
    open(keys);
    EXPECT_EQ(channel->counts().in_channel, 7U);
    EXPECT_EQ(drain(), (Bodies{"held", "leased", "a", "b", "c", "d", "e"}));
    expect_conserved();
    open(keys);
    EXPECT_EQ(drain(), Bodies{});
    channel->stop();
  }
}

TEST_F(SpillableTest, AKillLosesMemoryAndKeepsTheLog) {
  open({{"memoryCapacity", "2"}});
  EXPECT_EQ(put({"a", "b"}), kMemory);
  EXPECT_EQ(put({"c", "d"}), kLog);
  commit(*take(1));
  EXPECT_EQ(put({"e"}), kMemory);
  EXPECT_EQ(put({"f"}), kLog);
  kill();
  open({{"memoryCapacity", "2"}});
  EXPECT_EQ(drain(), (Bodies{"c", "d", "f"}));
  expect_conserved();
}

// Goal: memory alone costs no write, neither of puts nor of acknowledgements. Method: a last put
// goes to the log, and would take along what waits to be written.
TEST_F(SpillableTest, WritesNothingWhileMemoryDoes) {
  open({{"memoryCapacity", "2"}});
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(put({"x", "y"}), kMemory);
    EXPECT_EQ(drain().size(), 2U);
  }
  EXPECT_EQ(put({"a", "b", "c"}), kLog);
  const std::string log = kit.files.text("/data/segment-000001.wal");
  EXPECT_NE(log.find("MRP1"), std::string::npos);
  EXPECT_EQ(log.find("MRA1"), std::string::npos);
}

TEST_F(SpillableTest, EventsLeftInMemoryThatTheDiskDoesNotTakeAreCountedAsDropped) {
  open();
  ASSERT_EQ(put({"a", "b", "c"}), kMemory);
  kit.files.fail_always(Operation::kWrite, EIO);
  channel->stop();
  EXPECT_EQ(channel->counts().dropped, 3U);
  expect_conserved();
  kit.files.heal();
  open();
  EXPECT_EQ(drain(), Bodies{});
}

// Goal: what is small enough for memory does not overtake what is on its way to the disk.
TEST_F(SpillableTest, WhatIsInMemoryWaitsForWhatIsBeingWritten) {
  open({{"memoryCapacity", "2"}});
  const auto may_sync = std::make_shared<std::atomic<bool>>(false);  // The hook may outlive us.
  kit.files.on_operation([may_sync](const FakeFileSystem::Call& call) {
    if (call.operation == Operation::kSync && call.path.string().starts_with("/data")) {
      eventually([&] { return may_sync->load(); });
    }
  });
  const auto large = std::make_shared<Answer>();
  ASSERT_EQ(offer(kit.slabs.numbered(3, "large"), large), PutStatus::kAccepted);
  EXPECT_EQ(put({"small"}), kMemory);
  EXPECT_FALSE(take());
  EXPECT_FALSE(large->came);
  *may_sync = true;
  const std::optional<Lease> lease = channel->take({10, 1 << 20}, kit.clock.steady() + 20s, {});
  ASSERT_TRUE(lease);
  EXPECT_EQ(bodies_of(*lease->batch), (Bodies{"large0", "large1", "large2"}));
  commit(*lease);
  EXPECT_EQ(drain(), Bodies{"small"});
  kit.files.on_operation(nullptr);
}

TEST_F(SpillableTest, WhatIsInMemoryGoesOnWhenWhatWasBeingWrittenFailed) {
  open({{"memoryCapacity", "2"}});
  kit.files.fail_always(Operation::kSync, EIO);
  EXPECT_EQ(put({"a", "b", "c"}), kFull);
  EXPECT_EQ(put({"small"}), kMemory);
  EXPECT_EQ(drain(), Bodies{"small"});
  kit.files.heal();
}

// Goal: a put waits for memory, then goes to the log; later ones do so at once, until memory is
// free again.
TEST_F(SpillableTest, WaitsForMemoryBeforeItSpills) {
  open({{"memoryCapacity", "4"}, {"overflowTimeout", "1"}});
  EXPECT_EQ(channel->keep_alive(), 2s);
  EXPECT_EQ(put({"a", "b", "c", "d"}), kMemory);
  EXPECT_EQ(put({"e", "f"}), kFull);
  std::atomic<int> woken = 0;
  channel->when_room([&] { ++woken; });
  EXPECT_EQ(woken, 0);
  EXPECT_TRUE(eventually([&] { return woken == 1; }));
  EXPECT_EQ(put({"e", "f"}), kLog);
  EXPECT_EQ(put({"g"}), kLog);
  commit(*take(1));
  EXPECT_EQ(put({"h"}), kMemory);
  EXPECT_EQ(put({"i"}), kFull);  // It waits again.
  channel->when_room([&] { ++woken; });
  commit(*take(3));
  EXPECT_EQ(woken, 2);
  EXPECT_EQ(put({"i"}), kMemory);
  EXPECT_EQ(drain(), (Bodies{"e", "f", "g", "h", "i"}));
}

TEST_F(SpillableTest, WhoWaitsForTheLogIsWokenByIt) {
  open({{"memoryCapacity", "1"}, {"overflowCapacity", "2"}, {"transactionCapacity", "2"}});
  EXPECT_EQ(put({"a"}), kMemory);
  EXPECT_EQ(put({"b", "c"}), kLog);
  EXPECT_EQ(put({"d"}), kFull);
  std::atomic<int> woken = 0;
  channel->when_room([&] { ++woken; });
  const std::vector<Lease> leases = {*take(), *take()};
  EXPECT_EQ(woken, 0);
  channel->commit({&leases[1], 1}, {}, {});
  EXPECT_TRUE(eventually([&] { return woken == 1; }));
  EXPECT_EQ(put({"d"}), kLog);
  channel->commit({leases.data(), 1}, {}, {});
  EXPECT_EQ(drain(), Bodies{"d"});
}

TEST_F(SpillableTest, AStopWakesAndRefuses) {
  open({{"memoryCapacity", "1"}, {"overflowTimeout", "60"}});
  put({"a"});
  EXPECT_EQ(put({"b"}), kFull);
  int woken = 0;
  channel->when_room([&] { ++woken; });
  channel->stop();
  EXPECT_EQ(woken, 1);
  const auto answer = std::make_shared<Answer>();
  EXPECT_EQ(offer(kit.slabs.numbered(1), answer), PutStatus::kClosed);
}

TEST_F(SpillableTest, HeldEventsOfMemoryComeBackAndTakeRoomUntilThen) {
  open({{"memoryCapacity", "2"}});
  put({"bad", "good"});
  std::optional<Lease> lease = take();
  const HeldEvent held[] = {{0, 0}};
  channel->commit({&*lease, 1}, held, kit.clock.steady() + 10s);
  EXPECT_EQ(channel->counts().held, 1U);
  EXPECT_EQ(put({"a"}), kMemory);
  EXPECT_EQ(put({"b"}), kLog);
  EXPECT_EQ(drain(), (Bodies{"a", "b"}));
  kit.clock.advance(11s);
  EXPECT_EQ(drain(), Bodies{"bad"});
  EXPECT_EQ(put({"c", "d"}), kMemory);
  expect_conserved();
}

TEST_F(SpillableTest, SaysWhatItPromisesAndMeasures) {
  open({{"memoryCapacity", "7"}, {"overflowCapacity", "20"}});
  EXPECT_NE(channel->promise().find("up to 7 events, committed = in this process"),
            std::string::npos);
  EXPECT_NE(channel->promise().find("fdatasync"), std::string::npos);
  EXPECT_TRUE(channel->durable());
  put({"a", "b"});
  std::map<std::string, double> figures;
  for (const MetricSample& sample : metrics.samples()) {
    figures[sample.name] = sample.number;
  }
  EXPECT_EQ(figures["ChannelCapacity"], 27);
  EXPECT_EQ(figures["ChannelSize"], 2);
  EXPECT_EQ(figures["EventPutAttemptCount"], 2);
  EXPECT_EQ(figures["EventPutSuccessCount"], 2);
}

TEST(SpillableConfigTest, ReadsFlumesKeys) {
  Diagnostics diagnostics;
  const auto config = bind<SpillableMemoryConfig>(
      {{"memoryCapacity", "-1"}, {"overflowCapacity", "x"}, {"capacity", "5"}, {"keep-alive", "9"}},
      diagnostics, common_channel_keys());
  ASSERT_TRUE(config) << diagnostics.to_string();
  EXPECT_EQ(diagnostics.warning_count(), 4U);
  EXPECT_EQ(config->memory_capacity, 10'000U);
  EXPECT_EQ(config->log().capacity, 100'000'000U);
  EXPECT_EQ(config->log().keep_alive, 0s);
  EXPECT_EQ(config->limits().capacity, 100'010'000U);
  EXPECT_EQ(config->limits().transaction_capacity, 10'000U);
  EXPECT_TRUE(ChannelRegistry::instance().find("spillablememory"));
}

TEST(SpillableConfigTest, SomethingMustHoldTheEvents) {
  Diagnostics diagnostics;
  const auto config = bind<SpillableMemoryConfig>(
      {{"memoryCapacity", "0"}, {"overflowCapacity", "0"}}, diagnostics, common_channel_keys());
  ASSERT_TRUE(config);
  EXPECT_EQ(diagnostics.warning_count(), 1U);
  EXPECT_EQ(config->log_capacity(), 100'000'000U);
}

}  // namespace
}  // namespace millrace
