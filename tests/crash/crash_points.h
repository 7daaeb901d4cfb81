// Crashes a file channel at every step of a script, in every way that the step can be cut short.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "channel_user.h"
#include "crash_ways.h"

namespace millrace {

// The script makes a channel, puts, takes, rolls segments, writes checkpoints, recycles and unlinks
// segments, stops, starts again, and starts behind a kill. Before each operation that changes the
// disk, the starts' own included, the disk and what is promised are recorded: that is a point.
//
// At each point the power is lost with every first part of what was not synced, sector by sector;
// with every last part; with each change alone, and all but it; and some drawn at random. Then the
// channel is opened and all that it has is held against the promises. For some of these ways each
// operation of that start is a point too, where the power is lost a second time.
class CrashPoints {
 public:
  // `data_dirs` as the key has them.
  CrashPoints(std::uint64_t seed, const std::string& data_dirs);

  // One point in `stride`.
  void check_all(std::uint64_t stride);

  std::uint64_t points() const { return points_.size(); }
  std::uint64_t crashes() const { return crashes_; }
  std::uint64_t second_crashes() const { return second_crashes_; }
  const std::vector<std::string>& complaints() const { return complaints_; }

 private:
  // The disk, and what is promised, at one instant.
  struct Point {
    std::unique_ptr<FakeFileSystem> disk;
    ChannelModel model;
    std::string next;  // The operation that comes next.
  };
  // What one thread opens channels with.
  struct Bench;

  void run_script();
  void record(ChannelUser& user, FakeFileSystem& files, std::vector<Point>& points) const;
  void check(Bench& bench, const Point& point, const std::string& name);
  void crash(Bench& bench, const Point& point, const Kept& kept, const std::string& name);
  void crash_twice(Bench& bench, const Point& point, const Kept& kept, const std::string& name);
  void look(Bench& bench, FakeFileSystem& disk, ChannelModel model, std::vector<Point>* points);

  const std::uint64_t seed_;
  ChannelShape shape_;
  std::vector<Point> points_;
  std::atomic<std::uint64_t> crashes_ = 0;
  std::atomic<std::uint64_t> second_crashes_ = 0;
  std::mutex mutex_;  // Guards complaints_.
  std::vector<std::string> complaints_;
};

}  // namespace millrace
