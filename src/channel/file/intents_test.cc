// Intents of sinks that deliver exactly once: durable with the acknowledgement that they belong to,
// or not at all.
#include "channel/file/intents.h"

#include <gtest/gtest.h>

#include <atomic>
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
  kit.files.crash();
  open();
  EXPECT_EQ(channel->intent_of("k1"), "the first two");
  EXPECT_EQ(drain(), (Bodies{"c"}));
  expect_conserved();
}

TEST_F(IntentCommitTest, NeedsNoEvents) {
  open();
  ASSERT_TRUE(commit_with({}, "roll").ok());
  kit.files.crash();
  open();
  EXPECT_EQ(channel->intent_of("k1"), "roll");
  ASSERT_TRUE(commit_with({}, "").ok());
  kit.files.crash();
  open();
  EXPECT_EQ(channel->intent_of("k1"), "");
}

// Goal: an intent is there as long as it is the latest, whatever becomes of the segment it lay in
// and of the checkpoints.
// Method: much goes through small segments between two starts; each start is told of no checkpoint,
// or of a damaged one, or of the last one.
TEST_F(IntentCommitTest, OutlivesItsSegment) {
  for (const std::string way : {"kept", "damaged", "none"}) {
    open({{"dataDirs", "/" + way + "-a,/" + way + "-b"}, {"checkpointDir", "/" + way}});
    ASSERT_TRUE(commit_with({}, "of " + way).ok());
    ASSERT_TRUE(commit_with({}, "", "k2").ok());
    for (int i = 0; i < 60; ++i) {
      ASSERT_TRUE(put(kit.slabs.batch_of_bodies({std::string(20'000, 'x')})).ok());
      if (i % 2 == 0) {
        drain();
      }
    }
    kit.files.crash();
    const std::filesystem::path checkpoint = "/" + way + "/channel.checkpoint";
    if (way == "none") {
      (void)kit.files.remove(checkpoint);
    } else if (way == "damaged" && kit.files.exists(checkpoint)) {
      kit.files.put(checkpoint, "damaged");
    }
    open({{"dataDirs", "/" + way + "-a,/" + way + "-b"}, {"checkpointDir", "/" + way}});
    EXPECT_EQ(channel->intent_of("k1"), "of " + way);
    expect_conserved();
  }
}

// Goal: the events and the intent of a commit are both there or neither, wherever the power is cut.
// Method: a commit after the other; the cut comes at a random change of the disk.
TEST_F(IntentCommitTest, IsOneStepWithItsEvents) {
  const auto seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int round = 0; round < 60; ++round) {
    const std::string dir = "/round" + std::to_string(round);
    const Keys keys{{"dataDirs", dir + "-a," + dir + "-b"}, {"checkpointDir", dir}};
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
    kit.files.cut_power();
    channel.reset();
    kit.files.restore_power();
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
