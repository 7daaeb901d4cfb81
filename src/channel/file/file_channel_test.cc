#include "channel/file/file_channel.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <future>
#include <map>

#include "core/registry.h"
#include "core/testing_services.h"

namespace millrace {
namespace {

using namespace std::chrono_literals;
using testing_kit::bodies_of;
using testing_kit::eventually;
using Bodies = std::vector<std::string>;
using Operation = FakeFileSystem::Operation;
using Keys = std::map<std::string, std::string>;

class FileChannelTest : public testing::Test {
 protected:
  // A channel over /data and /check in memory, with small segments.
  void make(const Keys& more = {}, std::size_t memory_share = 1 << 26) {
    channel.reset();
    PropertySection section;
    Keys keys{{"dataDirs", "/data"},
              {"checkpointDir", "/check"},
              {"maxFileSize", "65536"},
              {"minimumRequiredSpace", "1048576"},
              {"checkpointInterval", "1000"}};
    for (const auto& [key, value] : more) {
      keys[key] = value;
    }
    for (const auto& [key, value] : keys) {
      section.set({.key = key, .value = value});
    }
    Diagnostics diagnostics;
    const auto config = bind<FileChannelConfig>(section, diagnostics, common_channel_keys());
    ASSERT_TRUE(config) << diagnostics.to_string();
    channel = std::make_unique<FileChannel>(
        *config, ChannelContext{"c1", kit.services, metrics, memory_share});
  }
  void open(const Keys& more = {}, std::size_t memory_share = 1 << 26) {
    make(more, memory_share);
    const Result<> started = channel->start();
    ASSERT_TRUE(started.ok()) << started.error().message();
  }
  // Puts, and waits for the answer.
  Result<> put(const BatchPtr& batch) {
    auto answer = std::make_shared<std::promise<Result<>>>();
    auto future = answer->get_future();
    PutDone done = [answer](Result<> result) { answer->set_value(std::move(result)); };
    const PutStatus status = channel->put(batch, done);
    if (status != PutStatus::kAccepted) {
      return transient(status == PutStatus::kFull ? "full" : "closed");
    }
    return future.get();
  }
  std::optional<Lease> take(std::size_t events = 1000) {
    return channel->take({events, std::size_t{1} << 30}, {}, {});
  }
  void commit(const Lease& lease) { channel->commit({&lease, 1}, {}, {}); }
  // Takes all that is there, and commits it.
  Bodies drain() {
    Bodies all;
    while (const std::optional<Lease> lease = take()) {
      const Bodies bodies = bodies_of(*lease->batch);
      all.insert(all.end(), bodies.begin(), bodies.end());
      commit(*lease);
    }
    return all;
  }
  void expect_conserved() {
    const ChannelCounts counts = channel->counts();
    EXPECT_EQ(counts.put, counts.acknowledged + counts.dropped + counts.held + counts.in_channel);
  }

  testing_kit::TestServices kit;
  MetricGroup& metrics = kit.metrics.group("CHANNEL", "c1");
  std::unique_ptr<FileChannel> channel;
};

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

TEST_F(FileChannelTest, ADamagedCheckpointCostsALongerStartOnly) {
  for (const std::string damage : {"empty", "half", "bits", "missing"}) {
    SCOPED_TRACE(damage);
    open();
    ASSERT_TRUE(put(kit.slabs.numbered(10)).ok());
    commit(*take(4));
    channel->stop();
    std::string bytes = kit.files.text("/check/channel.checkpoint");
    ASSERT_FALSE(bytes.empty());
    if (damage == "empty") {
      bytes.clear();
    } else if (damage == "half") {
      bytes.resize(bytes.size() / 2);
    } else {
      bytes[bytes.size() / 2] ^= 1;
    }
    kit.files.put("/check/channel.checkpoint", bytes);
    if (damage == "missing") {
      ASSERT_TRUE(kit.files.remove("/check/channel.checkpoint").ok());
    }
    open();
    EXPECT_EQ(drain(), (Bodies{"e4", "e5", "e6", "e7", "e8", "e9"}));
  }
}

// Goal: what a checkpoint alone knew to have left does not come again when the next one is damaged.
// Method: an acknowledgement that the log has no room for, an orderly stop, a start with and one
// without the checkpoint.
TEST_F(FileChannelTest, TheLogLearnsWhatOnlyTheCheckpointKnew) {
  open();
  ASSERT_TRUE(put(kit.slabs.numbered(3)).ok());
  kit.files.fail_next(Operation::kWrite, EIO);
  kit.files.fail_always(Operation::kAllocate, ENOSPC);
  EXPECT_FALSE(put(kit.slabs.numbered(1, "refused ")).ok());
  commit(*take(1));
  channel->stop();
  kit.files.heal();
  open();
  EXPECT_EQ(channel->counts().in_channel, 2U);
  channel->stop();
  kit.files.put("/check/channel.checkpoint", "");
  open();
  EXPECT_EQ(drain(), (Bodies{"e1", "e2"}));
  expect_conserved();
}

// Case 33 of the field: the newest file is cut 7 bytes before its last byte that is not zero.
TEST_F(FileChannelTest, ACutOffRecordLosesTheEventThatWasHit) {
  open({{"checkpointOnClose", "false"}});
  ASSERT_TRUE(put(kit.slabs.numbered(50, "a body of some length ")).ok());
  channel->stop();
  const std::string path = "/data/segment-000001.wal";
  std::string bytes = kit.files.text(path);
  bytes.resize(bytes.find_last_not_of('\0') + 1 - 7);
  kit.files.put(path, bytes);
  open();
  const Bodies bodies = drain();
  EXPECT_EQ(bodies.size(), 49U);
  EXPECT_EQ(bodies.back(), "a body of some length 48");
  EXPECT_EQ(channel->counts().dropped, 1U);
  ASSERT_TRUE(put(kit.slabs.batch_of_bodies({"fresh"})).ok());
  EXPECT_EQ(drain(), Bodies{"fresh"});
  expect_conserved();
}

TEST_F(FileChannelTest, OfADamagedRecordOnlyTheEventsHitAreLost) {
  open({{"checkpointOnClose", "false"}});
  ASSERT_TRUE(put(kit.slabs.numbered(9)).ok());
  ASSERT_TRUE(put(kit.slabs.numbered(3, "f")).ok());
  channel->stop();
  const std::string path = "/data/segment-000001.wal";
  std::string bytes = kit.files.text(path);
  const std::size_t record_bytes = bytes.find("e8") + 2 - 4096;
  bytes[bytes.find("e5") + 1] ^= 4;
  bytes[bytes.find("e8")] ^= 64;
  kit.files.put(path, bytes);
  open();
  EXPECT_EQ(drain(), (Bodies{"e0", "e1", "e2", "e3", "e4", "e6", "e7", "f0", "f1", "f2"}));
  EXPECT_EQ(channel->counts().dropped, 2U);
  expect_conserved();
  EXPECT_EQ(kit.files.contents("/data/quarantine"), Bodies{bytes.substr(4096, record_bytes)});
}

TEST_F(FileChannelTest, ADestroyedRecordHeaderCostsThatRecord) {
  open();
  for (const char* prefix : {"a", "b", "c"}) {
    ASSERT_TRUE(put(kit.slabs.numbered(3, prefix)).ok());
  }
  channel->stop();
  for (const bool with_checkpoint : {true, false}) {
    const std::string path = "/data/segment-000001.wal";
    std::string bytes = kit.files.text(path);
    std::fill_n(bytes.begin() + 8192, 40, '\x55');  // The second group.
    kit.files.put(path, bytes);
    if (!with_checkpoint) {
      kit.files.put("/check/channel.checkpoint", "");
    }
    open();
    const std::optional<Lease> lease = take();
    EXPECT_EQ(bodies_of(*lease->batch), (Bodies{"a0", "a1", "a2"}));
    const std::optional<Lease> second = take();
    EXPECT_EQ(bodies_of(*second->batch), (Bodies{"c0", "c1", "c2"}));
    const Lease both[] = {*lease, *second};
    channel->roll_back(both);
    if (with_checkpoint) {
      EXPECT_EQ(channel->counts().dropped, 3U);
    }
    expect_conserved();
    EXPECT_EQ(kit.files.contents("/data/quarantine"), Bodies{bytes.substr(8192, 4096)});
  }
}

TEST_F(FileChannelTest, UsesSeveralDataDirsAndRefusesOneThatCameBackEmpty) {
  const Keys two{{"dataDirs", "/data, /more"}};
  open(two);
  Bodies expected;
  for (int i = 0; i < 40; ++i) {
    expected.push_back(std::to_string(i) + std::string(20'000, 'x'));
    ASSERT_TRUE(put(kit.slabs.batch_of_bodies({expected.back()})).ok());
  }
  EXPECT_GT(kit.files.list("/data").value().size(), 2U);
  EXPECT_GT(kit.files.list("/more").value().size(), 2U);
  kit.files.crash();
  open(two);
  EXPECT_EQ(drain(), expected);
  channel->stop();
  make({{"dataDirs", "/data,/empty"}});
  const Result<> started = channel->start();
  ASSERT_FALSE(started.ok());
  EXPECT_EQ(started.error().fault(), Fault::kConfig);
  EXPECT_NE(started.error().message().find("/more"), std::string::npos);
  open({{"dataDirs", "/data,/more,/new"}});
  EXPECT_EQ(drain(), Bodies{});
}

// Goal: the operator of a disk that is not mounted learns what is missing and what he can do.
TEST_F(FileChannelTest, RefusesToBeginAnewWhileItsCheckpointKnowsOfEvents) {
  open();
  ASSERT_TRUE(put(kit.slabs.numbered(3)).ok());
  channel->stop();
  for (const std::string& name : kit.files.list("/data").value()) {
    ASSERT_TRUE(kit.files.remove("/data/" + name).ok());
  }
  make();
  const Result<> started = channel->start();
  ASSERT_FALSE(started.ok());
  EXPECT_EQ(started.error().fault(), Fault::kConfig);
  for (const char* part : {"channel c1", "/data", "/check/channel.checkpoint knows of 3 events",
                           "mount the disk", "remove /check/channel.checkpoint"}) {
    EXPECT_NE(started.error().message().find(part), std::string::npos) << part;
  }
  ASSERT_TRUE(kit.files.remove("/check/channel.checkpoint").ok());
  open();
  EXPECT_EQ(drain(), Bodies{});
}

TEST_F(FileChannelTest, RefusesADirThatAnotherProcessHolds) {
  kit.files.hold_lock("/data/in_use.lock", 4711);
  make();
  const Result<> started = channel->start();
  ASSERT_FALSE(started.ok());
  EXPECT_EQ(started.error().fault(), Fault::kConfig);
  EXPECT_NE(started.error().message().find("4711"), std::string::npos);
  EXPECT_EQ(channel->put(kit.slabs.numbered(1), *std::make_unique<PutDone>()), PutStatus::kClosed);
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

TEST(FileChannelConfigTest, RefusesEncryptionByNameAndIgnoresTheHarmless) {
  PropertySection section;
  section.set({.key = "encryption.activeKey", .value = "k1"});
  section.set({.key = "useDualCheckpoints", .value = "true"});
  Diagnostics diagnostics;
  EXPECT_FALSE(bind<FileChannelConfig>(section, diagnostics, common_channel_keys()));
  EXPECT_EQ(diagnostics.error_count(), 1U);
  EXPECT_EQ(diagnostics.warning_count(), 1U);
  EXPECT_NE(diagnostics.to_string().find("encryption"), std::string::npos);
}

TEST(FileChannelConfigTest, SaysWhatATransactionMayHold) {
  Diagnostics diagnostics;
  const auto prepared = ChannelRegistry::instance().find("file")->prepare(
      {{"transactionCapacity", "500"}}, diagnostics, common_channel_keys());
  ASSERT_TRUE(prepared);
  EXPECT_EQ(prepared->events_per_transaction, 500U);
}

}  // namespace
}  // namespace millrace
