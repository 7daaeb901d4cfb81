// Random lives of a file channel whose data dirs come and go, against a model.
#include <gtest/gtest.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <set>

#include "channel/file/file_channel_fixture.h"

namespace millrace {
namespace {

// Goal: whatever dirs are out of reach, in whatever lives, each event whose put was answered comes
// out in the end, none is invented, and the figures agree. Method: three dirs, of which some fail
// in each life; ends are orderly or kills, checkpoints get lost; at the end all dirs are back. An
// event that was committed may come again: its acknowledgement may lie in a dir that is out, or was
// not written before a kill.
class OutOfReachModelTest : public FileChannelTest {
 protected:
  static constexpr const char* kDirs[] = {"/a", "/b", "/c"};

  std::size_t draw(std::size_t below) { return random_() % below; }

  // All dirs are there in the first life: the channel is made in it.
  void begin_life(bool all_are_there) {
    kit.files.heal();
    std::size_t out = all_are_there ? 0 : draw(3);
    for (const char* const dir : kDirs) {
      if (out > 0 && draw(2) == 0) {
        constexpr int kErrors[] = {EACCES, EROFS, EIO};
        kit.files.fail_under(dir, kErrors[draw(3)]);
        --out;
      }
    }
    open(keys_, draw(2) == 0 ? std::size_t{1} << 26 : std::size_t{1} << 14);
    expect_conserved();
  }

  void put_some() {
    Bodies bodies;
    for (std::size_t i = 0; i <= draw(4); ++i) {
      bodies.push_back(std::to_string(next_++) + std::string(draw(20'000), 'x'));
    }
    offered_.insert(bodies.begin(), bodies.end());
    if (put(kit.slabs.batch_of_bodies(bodies)).ok()) {
      owed_.insert(bodies.begin(), bodies.end());
    }
  }

  // False when nothing comes.
  bool take_some() {
    const std::optional<Lease> lease = take(1 + draw(10));
    if (!lease) {
      return false;
    }
    for (const std::string& body : testing_kit::bodies_of(*lease->batch)) {
      EXPECT_EQ(offered_.count(body), 1U) << "invented: " << body.substr(0, 20);
    }
    if (draw(3) == 0) {
      channel->roll_back({&*lease, 1});
      return true;
    }
    for (const std::string& body : testing_kit::bodies_of(*lease->batch)) {
      owed_.erase(body);
    }
    commit(*lease);
    return true;
  }

  void end_life() {
    if (draw(2) == 0) {
      channel->stop();
    }
    kit.files.let_unsynced_survive(draw(2) == 0);
    kit.files.cut_power();
    channel.reset();
    kit.files.restore_power();
    if (draw(4) == 0) {
      kit.files.put("/check/channel.checkpoint", "damaged");
    }
  }

  void live_and_die(std::uint64_t seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    random_.seed(seed);
    keys_["checkpointOnClose"] = draw(2) == 0 ? "true" : "false";
    for (int life = 0; life < 8 && !HasFatalFailure(); ++life) {
      begin_life(life == 0);
      for (std::size_t step = draw(120); step > 0; --step) {
        draw(2) == 0 ? put_some() : static_cast<void>(take_some());
      }
      expect_conserved();
      end_life();
    }
    begin_life(true);
    EXPECT_TRUE(channel->health().ok());
    while (take_some()) {
    }
    EXPECT_EQ(owed_.size(), 0U) << "missing: " << owed_.begin()->substr(0, 20);
    expect_conserved();
    EXPECT_EQ(channel->counts().in_channel, 0U);
    EXPECT_EQ(channel->counts().dropped, 0U);
    channel->stop();
  }

  std::mt19937_64 random_;
  Keys keys_{{"dataDirs", "/a,/b,/c"}};
  std::uint64_t next_ = 0;
  std::set<std::string> offered_;
  std::set<std::string> owed_;  // Answered, and not committed.
};

TEST_F(OutOfReachModelTest, LosesAndInventsNothing) {
  const char* const given = std::getenv("MILLRACE_SEED");
  const std::uint64_t first =
      given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device()();
  std::printf("MILLRACE_SEED=%llu\n", static_cast<unsigned long long>(first));
  const int runs = given != nullptr ? 1 : 6;
  for (int run = 0; run < runs && !HasFailure(); ++run) {
    live_and_die(first + static_cast<std::uint64_t>(run));
  }
}

}  // namespace
}  // namespace millrace
