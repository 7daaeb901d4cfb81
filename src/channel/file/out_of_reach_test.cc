// Data dirs that cannot be read or written: at a start, while the channel runs, and back again.
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <set>

#include "channel/file/file_channel_fixture.h"

namespace millrace {
namespace {

using testing_kit::eventually;

class OutOfReachTest : public FileChannelTest {
 protected:
  const Keys two{{"dataDirs", "/data,/more"}, {"checkpointOnClose", "false"}};

  // Events of 20 KB, so that puts go to both dirs in turn.
  std::string make_event() { return std::to_string(next_++) + std::string(20'000, 'x'); }
  void put_many(int count) {
    for (int i = 0; i < count; ++i) {
      const std::string body = make_event();
      ASSERT_TRUE(put(kit.slabs.batch_of_bodies({body})).ok());
      there_.insert(body);
    }
  }
  // Commits `count` of those that are there.
  void commit_some(int count) {
    for (int i = 0; i < count; ++i) {
      const std::optional<Lease> lease = take(1);
      ASSERT_TRUE(lease);
      EXPECT_EQ(there_.erase(testing_kit::bodies_of(*lease->batch).front()), 1U);
      commit(*lease);
    }
  }
  // What comes out now was there, and comes once; how much that is.
  std::size_t drain_some() {
    std::size_t came = 0;
    for (const std::string& body : drain()) {
      const bool was_there = there_.erase(body) == 1;
      EXPECT_TRUE(was_there || may_repeat_) << body.substr(0, 8);
      came += was_there ? 1 : 0;
    }
    return came;
  }
  // A kill: what the channel knows and did not write is gone.
  void kill() {
    kit.files.let_unsynced_survive(false);
    kit.files.cut_power();
    channel.reset();
    kit.files.restore_power();
  }

  int next_ = 0;
  // Without checkpoint and the dir that has the acknowledgements nobody knows of them.
  bool may_repeat_ = false;
  std::set<std::string> there_;
};

// Goal: nothing of the dir is lost or invented, whatever became of its events' acknowledgements,
// and the others work on. Method: a kill, a life without the dir, with puts, takes and checkpoints
// that free segments, then one with it; also two lives without it, and without a checkpoint.
TEST_F(OutOfReachTest, ADirThatCannotBeOpenedTakesOnlyItselfOut) {
  for (const bool loses_checkpoint : {false, true}) {
    may_repeat_ = loses_checkpoint;
    for (const int error_number : {EACCES, EROFS, EIO}) {
      for (const int lives_without : {1, 2}) {
        SCOPED_TRACE(testing::Message()
                     << error_number << " " << lives_without << " " << loses_checkpoint);
        open(two);
        put_many(60);
        commit_some(20);
        channel->stop();  // All acknowledgements are written.
        open(two);
        put_many(60);
        commit_some(30);
        ASSERT_TRUE(put(kit.slabs.batch_of_bodies({"x"})).ok());
        there_.insert("x");
        channel->stop();
        kill();
        if (loses_checkpoint && kit.files.exists("/check/channel.checkpoint")) {
          ASSERT_TRUE(kit.files.remove("/check/channel.checkpoint").ok());
        }
        kit.files.fail_under("/more", error_number);
        for (int life = 0; life < lives_without; ++life) {
          open(two);
          const Result<> health = channel->health();
          ASSERT_FALSE(health.ok());
          EXPECT_NE(health.error().message().find("out of reach: "), std::string::npos);
          EXPECT_NE(health.error().message().find("/more"), std::string::npos);
          EXPECT_GE(drain_some(), 3U);
          expect_conserved();
          for (int i = 0; i < 20; ++i) {  // Enough for segments to be used again.
            put_many(5);
            EXPECT_EQ(drain_some(), 5U);
          }
          put_many(3);
          channel->stop();
        }
        kit.files.heal();
        open(two);
        EXPECT_TRUE(channel->health().ok());
        EXPECT_GT(drain_some(), 10U);
        EXPECT_EQ(there_.size(), 0U);
        expect_conserved();
        EXPECT_EQ(channel->counts().in_channel, 0U);
        EXPECT_EQ(channel->counts().dropped, 0U);
        channel->stop();
        open(two);
        EXPECT_EQ(drain_some(), 0U);
        channel->stop();
      }
    }
  }
}

TEST_F(OutOfReachTest, SaysHowManyEventsItMisses) {
  open({{"dataDirs", "/data,/more"}});
  put_many(100);
  channel->stop();
  kit.files.fail_under("/more", EIO);
  open({{"dataDirs", "/data,/more"}});
  EXPECT_EQ(channel->counts().in_channel, 100U);
  const std::size_t in_reach = drain_some();
  EXPECT_EQ(channel->counts().in_channel, 100 - in_reach);
  EXPECT_NE(channel->health().error().message().find(
                "out of reach: " + std::to_string(100 - in_reach) + " events"),
            std::string::npos)
      << channel->health().error().message();
}

// Goal: a disk error in the middle of one dir's log is not the end of the others.
TEST_F(OutOfReachTest, ADirWhoseLogCannotBeReadIsLeftOut) {
  open(two);
  put_many(100);
  kill();
  kit.files.fail_under("/more/segment-000001.wal", EIO);
  open(two);
  EXPECT_FALSE(channel->health().ok());
  EXPECT_GT(drain_some(), 20U);
  channel->stop();
  kit.files.heal();
  open(two);
  drain_some();
  EXPECT_EQ(there_.size(), 0U);
}

TEST_F(OutOfReachTest, WithoutAnyDirItDoesNotStart) {
  open(two);
  put_many(2);
  channel->stop();
  kit.files.fail_under("/data", EACCES);
  kit.files.fail_under("/more", EIO);
  make(two);
  EXPECT_EQ(channel->start().error().fault(), Fault::kTransient);
  kit.files.heal();
  open(two);
  EXPECT_EQ(drain_some(), 2U);
}

// Goal: a disk that goes while the channel runs keeps neither puts nor takes of the others.
TEST_F(OutOfReachTest, ADirThatGoesWhileItRunsTakesOnlyItselfOut) {
  make(two, 1 << 16);
  ASSERT_TRUE(channel->start().ok());
  put_many(100);
  kit.files.fail_under("/more", EIO);
  std::size_t taken = 0;
  EXPECT_TRUE(eventually([&] {
    taken += drain_some();
    return taken > 30;
  }));
  int accepted = 0;
  EXPECT_TRUE(eventually([&] {
    const std::string body = make_event();
    if (put(kit.slabs.batch_of_bodies({body})).ok()) {
      there_.insert(body);
      ++accepted;
    }
    return accepted > 20;
  }));
  EXPECT_FALSE(channel->health().ok());
  EXPECT_TRUE(eventually([&] {
    drain_some();
    return there_.size() < 70;
  }));
  kit.files.heal();
  EXPECT_TRUE(eventually([&] {
    drain_some();
    return there_.empty() && channel->health().ok();
  }));
  expect_conserved();
}

TEST_F(OutOfReachTest, AnotherProcessInOneDirStopsTheStart) {
  open(two);
  channel->stop();
  kit.files.hold_lock("/more/in_use.lock", 4711);
  make(two);
  const Result<> started = channel->start();
  ASSERT_FALSE(started.ok());
  EXPECT_NE(started.error().message().find("/more/in_use.lock is locked by process 4711"),
            std::string::npos);
}

}  // namespace
}  // namespace millrace
