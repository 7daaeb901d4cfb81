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
  // What comes out now was there, and comes once; how much that is.
  std::size_t drain_some() {
    std::size_t came = 0;
    for (const std::string& body : drain()) {
      EXPECT_EQ(there_.erase(body), 1U) << body.substr(0, 8);
      ++came;
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
  std::set<std::string> there_;
};

// Goal: a start without one of its dirs would give numbers, and acknowledge events, that only that
// dir knows of. So it waits for the dir, whatever is wrong there.
TEST_F(OutOfReachTest, ADirThatIsOutStopsTheStartUntilItIsBack) {
  for (const int error : {EACCES, EROFS, EIO}) {
    open(two);
    put_many(100);
    kill();
    kit.files.fail_under("/more", error);
    make(two);
    const Result<> started = channel->start();
    ASSERT_FALSE(started.ok());
    EXPECT_EQ(started.error().fault(), Fault::kTransient);
    EXPECT_NE(started.error().message().find("/more"), std::string::npos);
    kit.files.heal();
    open(two);
    EXPECT_EQ(drain_some(), 100U);
    channel->stop();
  }
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
