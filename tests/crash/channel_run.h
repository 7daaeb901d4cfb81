// A file channel that is used at random while its disk fails, its process is killed and its power
// is cut, beside a model that knows what must come back.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "channel_user.h"

namespace millrace {

// Several lives of one channel on one fake disk. All that is done to it is drawn from the seed; the
// order in which the channel's threads come to act is not.
class ChannelRun {
 public:
  explicit ChannelRun(std::uint64_t seed);
  ~ChannelRun();

  // False, with what was wrong in complaints(), when a promise was broken.
  bool go();
  std::vector<std::string> complaints();
  std::uint64_t events();
  std::uint64_t came_again();
  int lives() const { return lives_; }
  // The disk as the life that complained found it; null before there was one.
  FakeFileSystem* disk_found() { return disk_found_.get(); }

 private:
  static constexpr std::array<std::string_view, 3> kDirs = {"/a", "/b", "/c"};
  enum class Death { kStop, kKill, kPowerCut };

  void choose_shape();
  void live_and_die();
  void look_for_the_last_time();
  Death plan_death();
  void choose_key();
  void start_under_faults();
  bool open();
  void look_at_all();
  void heal();
  void live();
  void step();
  void put();
  void commit();
  void break_something();
  void die(Death death);
  void disturb_checkpoint();
  bool proves_leavings() const;
  std::size_t draw(std::size_t below);
  bool chance(std::size_t one_in) { return draw(one_in) == 0; }

  const std::uint64_t seed_;
  std::mt19937_64 random_;
  testing_kit::TestServices kit_;
  ChannelShape shape_;
  std::size_t dirs_ = 1;
  std::size_t sources_ = 1;
  bool may_fail_ = false;    // The disk, in this run.
  bool may_drop_ = false;    // The sinks.
  bool one_by_one_ = false;  // Each put waits for its answer.
  ChannelUser user_;

  int lives_ = 0;
  std::atomic<bool> is_cut_ = false;       // The power, in this life.
  Books books_ = Books::kExact;            // Since the last look.
  std::optional<ChannelCounts> expected_;  // After an orderly stop.
  std::string old_checkpoint_;
  std::unique_ptr<FakeFileSystem> disk_found_;
};

}  // namespace millrace
