#include "channel/flume_log/replay.h"

#include <gtest/gtest.h>

#include "channel/flume_log/event_reader.h"
#include "channel/flume_log/flume_log_kit.h"

namespace millrace::flume_log {
namespace {

constexpr RecordType kPut = RecordType::kPut;
constexpr RecordType kTake = RecordType::kTake;
using Bodies = std::vector<std::string>;

// Two data dirs with a log each; transactions go to either.
class FlumeReplayTest : public testing::Test {
 protected:
  FlumeReplayTest() { files.put("/c/other", {}); }

  // The bodies of what is in the channel.
  Bodies replay_all(const std::optional<FlumeCheckpoint>& checkpoint = {},
                    std::int64_t position_a = 0, std::int64_t position_b = 0) {
    const std::int64_t at = checkpoint ? checkpoint->order : 0;
    files.put("/a/log-1", a.file());
    files.put("/a/log-1.meta", a.meta(position_a, at));
    files.put("/b/log-2", b.file());
    files.put("/b/log-2.meta", b.meta(position_b, at));
    if (checkpoint) {
      kit::put_checkpoint(files, "/c", *checkpoint);
    }
    const Folders folders = open_folders(files, "/c", {"/a", "/b"}).value();
    const CheckpointReading reading = read_flume_checkpoint(files, "/c").value();
    EXPECT_EQ(reading.checkpoint.has_value(), checkpoint.has_value()) << reading.why_not;
    contents = replay(files, folders, reading).value();
    EXPECT_EQ(contents.found, contents.events.size() + contents.taken + contents.uncommitted +
                                  contents.damages.size());
    return read(folders);
  }
  Bodies read(const Folders& folders) {
    EventReader reader(files, folders);
    Bodies bodies;
    for (const Pointer& pointer : contents.events) {
      const EventReader::Read found = reader.read(pointer).value();
      const auto* const event = std::get_if<const StoredEvent*>(&found);
      bodies.emplace_back(event != nullptr                         ? std::string((*event)->body)
                          : std::holds_alternative<Removed>(found) ? "removed"
                                                                   : "damaged");
    }
    return bodies;
  }
  FlumeCheckpoint checkpoint_of(std::vector<Pointer> queue) {
    return {.order = ++order, .queue = std::move(queue), .puts = {}, .takes = {}};
  }
  std::int64_t end(kit::LogBuilder& log) { return static_cast<std::int64_t>(log.bytes().size()); }

  FakeFileSystem files;
  std::int64_t order = 1000;
  kit::LogBuilder a{1, order};
  kit::LogBuilder b{2, order};
  Contents contents;
};

TEST_F(FlumeReplayTest, WithoutACheckpointCommittedPutsLessCommittedTakesAreInOrder) {
  const auto first = a.put_all(10, {"one", "two"});
  b.put_all(11, {"three"});
  a.put(12, "never committed");
  b.put(13, "rolled back");
  b.roll_back(13);
  b.take_all(14, {first[0]});
  a.put_all(15, {"four"});
  a.take(16, first[1]);  // Not committed: it comes back.
  EXPECT_EQ(replay_all(), (Bodies{"two", "three", "four"}));
  EXPECT_EQ(contents.found, 6U);
  EXPECT_EQ(contents.taken, 1U);
  EXPECT_EQ(contents.uncommitted, 2U);
  EXPECT_EQ(contents.doubtful, 0U);
}

// Flume writes no such commit; damage may make one.
TEST_F(FlumeReplayTest, ACommitOfTheOtherKindCostsNoEvent) {
  a.put(10, "one");
  a.commit(10, kTake);
  const auto two = b.put_all(11, {"two"});
  b.take(12, two[0]);
  b.commit(12, kPut);
  EXPECT_EQ(replay_all(), (Bodies{"one", "two"}));
}

TEST_F(FlumeReplayTest, TheOrderIsThatOfTheCommits) {
  a.put(10, "late");
  b.put_all(11, {"early"});
  a.commit(10, kPut);
  EXPECT_EQ(replay_all(), (Bodies{"early", "late"}));
}

TEST_F(FlumeReplayTest, ACheckpointsQueueComesFirstAndOlderRecordsAreNotReadAgain) {
  const auto old = a.put_all(10, {"one", "two", "three"});
  b.take_all(11, {old[1]});
  const FlumeCheckpoint checkpoint = checkpoint_of({old[0], old[2]});
  const std::int64_t at = end(a);
  a.put_all(12, {"four"});
  b.take_all(13, {old[0]});
  EXPECT_EQ(replay_all(checkpoint, at), (Bodies{"three", "four"}));  // b is read from 0: filtered.
  EXPECT_EQ(contents.found, 3U);
  EXPECT_EQ(contents.taken, 1U);
}

TEST_F(FlumeReplayTest, TransactionsUnderWayAtTheCheckpointEndAsTheLogTells) {
  const auto old = a.put_all(10, {"taken later", "comes back", "waits"});
  const Pointer commits = a.put(20, "commits later");
  const Pointer never = a.put(21, "never commits");
  FlumeCheckpoint checkpoint = checkpoint_of({old[2]});
  checkpoint.takes = {{30, {old[0]}}, {31, {old[1]}}};
  checkpoint.puts = {{20, {commits}}, {21, {never}}};
  const std::int64_t at = end(a);
  b.commit(30, kTake);
  b.roll_back(31);
  a.commit(20, kPut);
  EXPECT_EQ(replay_all(checkpoint, at), (Bodies{"comes back", "waits", "commits later"}));
  EXPECT_EQ(contents.taken, 1U);
  EXPECT_EQ(contents.uncommitted, 1U);
}

TEST_F(FlumeReplayTest, TakesOfSeveralDirsThatWereUnderWayComeBackInTheirOrder) {
  const auto first = b.put_all(10, {"one"});
  const auto second = a.put_all(11, {"two"});
  const auto third = b.put_all(12, {"three"});
  FlumeCheckpoint checkpoint = checkpoint_of({});
  checkpoint.takes = {{30, {second[0], first[0], third[0]}}};
  EXPECT_EQ(replay_all(checkpoint, end(a), end(b)), (Bodies{"one", "two", "three"}));
}

// Flume doubles these.
TEST_F(FlumeReplayTest, ATakeThatRolledBackAfterTheCheckpointAndWasTakenAgainIsGone) {
  const auto old = a.put_all(10, {"one"});
  FlumeCheckpoint checkpoint = checkpoint_of({});
  checkpoint.takes = {{30, {old[0]}}};
  const std::int64_t at = end(a);
  b.roll_back(30);
  b.take_all(31, old);
  EXPECT_EQ(replay_all(checkpoint, at), Bodies());
  EXPECT_EQ(contents.taken, 1U);
}

TEST_F(FlumeReplayTest, OfADamagedPutOneEventIsLost) {
  const auto puts = a.put_all(10, {"one", "two", "three"});
  a.bytes()[a.bytes().find("two")] = 'T';
  EXPECT_EQ(replay_all(), (Bodies{"one", "damaged", "three"}));
  EXPECT_TRUE(contents.damages.empty());  // It is known as a put: found when it is read.
}

TEST_F(FlumeReplayTest, APutWhoseHeaderIsDamagedCountsUnlessItWasTaken) {
  const auto puts = a.put_all(10, {"one", "two"});
  a.bytes()[puts[0].offset + kFrameBytes + 1] = 'x';
  EXPECT_EQ(replay_all(), (Bodies{"two"}));
  ASSERT_EQ(contents.damages.size(), 1U);
  EXPECT_EQ(contents.damages[0].log, "/a/log-1");
  EXPECT_EQ(contents.damages[0].from, puts[0]);
  EXPECT_EQ(contents.damages[0].to, puts[1].offset);
  b.take_all(11, {puts[0]});
  EXPECT_EQ(replay_all(), (Bodies{"two"}));
  EXPECT_TRUE(contents.damages.empty());
  EXPECT_EQ(contents.taken, 1U);
}

TEST_F(FlumeReplayTest, PutsWhoseCommitMayBeDamagedAreNotDropped) {
  a.put_all(10, {"one"});
  a.put(11, "two");
  const Pointer commit = a.commit(11, kPut);
  b.put(12, "of another dir, never committed");
  a.bytes()[commit.offset + kFrameBytes + 1] = 'x';
  EXPECT_EQ(replay_all(), (Bodies{"one", "two"}));
  EXPECT_EQ(contents.doubtful, 1U);
  EXPECT_EQ(contents.uncommitted, 1U);
  EXPECT_EQ(contents.damages.size(), 1U);
}

TEST_F(FlumeReplayTest, WhatFlumesToolRemovedFromTheQueueIsLeftOut) {
  const auto puts = a.put_all(10, {"one", "two"});
  const FlumeCheckpoint checkpoint = checkpoint_of(puts);
  a.bytes()[puts[0].offset] = kRemovedMark;
  EXPECT_EQ(replay_all(checkpoint, end(a)), (Bodies{"removed", "two"}));
}

TEST_F(FlumeReplayTest, AQueueThatPointsAtNothingIsDamageNotACrash) {
  const auto puts = a.put_all(10, {"one"});
  const Pointer commit = a.commit(11, kTake);
  EXPECT_EQ(replay_all(checkpoint_of({puts[0], {9, 0}, {1, 1}, {1, 0x7FFFFFFF}, commit}), end(a)),
            (Bodies{"one", "damaged", "damaged", "damaged", "damaged"}));
}

}  // namespace
}  // namespace millrace::flume_log
