// Intents of sinks that deliver exactly once: durable with the acknowledgement that they belong to,
// or not at all.
#include "channel/file/intents.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <random>
#include <thread>

#include "base/stoppable_condition.h"
#include "channel/file/checkpoint.h"
#include "channel/file/file_channel_fixture.h"

namespace millrace::file_channel {
namespace {

Intents sample() {
  Intents intents;
  intents.add({"k1", 7, "renames"});
  intents.add({"k2", 9, ""});
  return intents;
}

TEST(IntentsTest, TheLatestOfEachSinkCounts) {
  Intents intents = sample();
  intents.add({"k1", 6, "earlier"});
  intents.add({"k2", 10, "later"});
  EXPECT_EQ(intents.find("k1")->bytes, "renames");
  EXPECT_EQ(intents.find("k2")->bytes, "later");
  EXPECT_EQ(intents.find("k3"), nullptr);
  EXPECT_EQ(intents.next_sequence(), 11U);
}

TEST(IntentsTest, AreReadAsTheyWereWrittenAndEveryCutIsSeen) {
  const std::string bytes = sample().encode();
  EXPECT_EQ(Intents::decode(bytes).value().encode(), bytes);
  const std::size_t first = 16 + std::string("k1renames").size();
  for (std::size_t i = 1; i < bytes.size(); ++i) {
    EXPECT_EQ(Intents::decode(bytes.substr(0, i)).ok(), i == first) << i;
  }
}

TEST(IntentsTest, LieInACheckpointOfAVersionOfTheirOwn) {
  Checkpoint checkpoint;
  checkpoint.channel = Id::random();
  const std::string without = encode_checkpoint(checkpoint);
  checkpoint.intents = sample();
  const std::string with = encode_checkpoint(checkpoint);
  EXPECT_EQ(without[8], 1);
  EXPECT_EQ(with[8], 2);
  EXPECT_EQ(decode_checkpoint(with).value().intents.encode(), sample().encode());
}

class IntentCommitTest : public FileChannelTest {
 protected:
  void lose_power() {
    kit.files.cut_power();
    channel.reset();
    kit.files.restore_power();
  }
  void remove(const std::filesystem::path& path) {
    ASSERT_TRUE(kit.files.remove(path).ok());
    ASSERT_TRUE(kit.files.sync_directory(path.parent_path()).ok());
  }
  Result<> commit_with(const std::optional<Lease>& lease, const std::string& intent,
                       const std::string& sink = "k1") {
    const std::span<const Lease> leases =
        lease ? std::span<const Lease>(&*lease, 1) : std::span<const Lease>();
    return channel->commit_with_intent(leases, {}, {}, {sink, intent}, {});
  }
};

TEST_F(IntentCommitTest, SurvivesAPowerLossWithItsEvents) {
  open();
  ASSERT_TRUE(put(kit.slabs.batch_of_bodies({"a", "b", "c"})).ok());
  ASSERT_TRUE(commit_with(take(2), "the first two").ok());
  EXPECT_EQ(channel->intent_of("k1"), "the first two");
  EXPECT_EQ(channel->intent_of("k2"), "");
  lose_power();
  open();
  EXPECT_EQ(channel->intent_of("k1"), "the first two");
  EXPECT_EQ(drain(), (Bodies{"c"}));
  expect_conserved();
}

TEST_F(IntentCommitTest, NeedsNoEvents) {
  open();
  ASSERT_TRUE(commit_with({}, "roll").ok());
  lose_power();
  open();
  EXPECT_EQ(channel->intent_of("k1"), "roll");
  ASSERT_TRUE(commit_with({}, "").ok());
  lose_power();
  open();
  EXPECT_EQ(channel->intent_of("k1"), "");
}

// Goal: an intent is there as long as it is the latest, whatever becomes of the segment it lay in
// and of the checkpoints.
// Method: so much goes through small segments that its own is written over; the next start finds
// the checkpoint, a damaged one, or none.
TEST_F(IntentCommitTest, OutlivesItsSegment) {
  for (const std::string way : {"kept", "damaged", "none"}) {
    const Keys keys{{"dataDirs", fmt::format("/{0}-a,/{0}-b", way)}, {"checkpointDir", "/" + way}};
    open(keys);
    ASSERT_TRUE(commit_with({}, "of " + way).ok());
    ASSERT_TRUE(commit_with({}, "", "k2").ok());
    const std::filesystem::path segment = "/" + way + "-a/segment-000001.wal";
    const auto header = [&] { return kit.files.text(segment).substr(0, kBlock); };
    const std::string first = header();
    for (int i = 0; i < 200 && header() == first; ++i) {
      ASSERT_TRUE(put(kit.slabs.batch_of_bodies({std::string(20'000, 'x')})).ok());
      drain();
    }
    lose_power();
    const std::filesystem::path checkpoint = "/" + way + "/channel.checkpoint";
    if (way == "none") {
      remove(checkpoint);
    } else if (way == "damaged") {
      kit.files.put(checkpoint, "damaged");
    }
    open(keys);
    EXPECT_EQ(channel->intent_of("k1"), "of " + way);
    expect_conserved();
  }
}

TEST_F(IntentCommitTest, GoesToAnotherDirWhenItsOwnFails) {
  open({{"dataDirs", "/a,/b"}});
  ASSERT_TRUE(commit_with({}, "first").ok());
  kit.files.fail_under("/a", EIO);
  ASSERT_TRUE(commit_with({}, "second").ok());
  lose_power();
  kit.files.heal();
  open({{"dataDirs", "/a,/b"}});
  EXPECT_EQ(channel->intent_of("k1"), "second");
}

// Goal: one that only a checkpoint knows of comes into the log.
// Method: the data dir is dead until the stop, the checkpoint dir is not.
TEST_F(IntentCommitTest, IsWrittenAgainWhenTheLogDoesNotHoldIt) {
  open();
  ASSERT_TRUE(put(kit.slabs.batch_of_bodies({"a", "b"})).ok());
  const std::optional<Lease> lease = take(1);
  kit.files.fail_under("/data", EIO);
  std::stop_source stop;
  const std::jthread limit([&] {
    EXPECT_TRUE(testing_kit::eventually([&] { return !channel->health().ok(); }));
    stop.request_stop();
  });
  const Result<> committed =
      channel->commit_with_intent({&*lease, 1}, {}, {}, {"k1", "of a"}, stop.get_token());
  ASSERT_FALSE(committed.ok());
  EXPECT_EQ(committed.error().fault(), Fault::kClosed);
  channel->stop();
  kit.files.heal();
  kit.files.let_unsynced_survive(false);  // The write that failed may have done a part.
  lose_power();
  open();
  EXPECT_EQ(channel->intent_of("k1"), "of a");
  channel->stop();
  lose_power();
  remove("/check/channel.checkpoint");
  open();
  EXPECT_EQ(channel->intent_of("k1"), "of a");
  EXPECT_EQ(drain(), (Bodies{"b"}));
}

// Goal: the events and the intent of a commit are both there or neither, wherever the power is cut.
// Method: a commit after the other; the cut comes at a random change of the disk.
TEST_F(IntentCommitTest, IsOneStepWithItsEvents) {
  const auto seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int round = 0; round < 60; ++round) {
    const std::string dir = "/round" + std::to_string(round);
    const Keys keys{{"dataDirs", fmt::format("{0}-a,{0}-b", dir)}, {"checkpointDir", dir}};
    open(keys);
    Bodies bodies;
    for (int i = 0; i < 20; ++i) {
      bodies.push_back(std::to_string(i));
    }
    ASSERT_TRUE(put(kit.slabs.batch_of_bodies(bodies)).ok());
    std::atomic<unsigned> operations_left = 1 + random() % 60;
    kit.files.on_operation([&](const FakeFileSystem::Call&) {
      if (operations_left > 0 && --operations_left == 0) {
        kit.files.cut_power();
      }
    });
    int committed = 0;
    int tried = 0;
    while (const std::optional<Lease> lease = take(1)) {
      ++tried;
      // A dead disk would keep it waiting.
      std::stop_source stop;
      const std::jthread limit([&](const std::stop_token& done) {
        if (rest(done, std::chrono::milliseconds(100))) {
          stop.request_stop();
        }
      });
      if (!channel
               ->commit_with_intent({&*lease, 1}, {}, {}, {"k1", std::to_string(tried)},
                                    stop.get_token())
               .ok()) {
        break;
      }
      committed = tried;
    }
    kit.files.on_operation({});
    lose_power();
    open(keys);
    const std::string intent = channel->intent_of("k1");
    const int known = intent.empty() ? 0 : std::stoi(intent);
    EXPECT_TRUE(known == committed || known == tried) << known << " of " << committed;
    const Bodies left = drain();
    ASSERT_EQ(left.size(), 20U - static_cast<std::size_t>(known));
    EXPECT_TRUE(std::equal(left.begin(), left.end(), bodies.begin() + known));
  }
}

}  // namespace
}  // namespace millrace::file_channel
