// The time, behind an interface so that tests own it. Threads: any.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace millrace {

using SteadyTime = std::chrono::steady_clock::time_point;
using WallTime = std::chrono::system_clock::time_point;

class Clock {
 public:
  virtual ~Clock() = default;
  virtual WallTime wall() const = 0;      // For headers, file names and reports.
  virtual SteadyTime steady() const = 0;  // For intervals and deadlines.

  // Milliseconds since 1970-01-01T00:00Z, as Flume's timestamp header has them.
  std::int64_t wall_ms() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(wall().time_since_epoch()).count();
  }
};

class SystemClock final : public Clock {
 public:
  WallTime wall() const override { return std::chrono::system_clock::now(); }
  SteadyTime steady() const override { return std::chrono::steady_clock::now(); }
};

// Stands still until told otherwise.
class FakeClock final : public Clock {
 public:
  WallTime wall() const override {
    return WallTime(offset()) + std::chrono::seconds(1'700'000'000);
  }
  SteadyTime steady() const override { return SteadyTime(offset()) + std::chrono::hours(1); }
  void advance(std::chrono::nanoseconds by) { ns_ += by.count(); }

 private:
  std::chrono::nanoseconds offset() const { return std::chrono::nanoseconds(ns_.load()); }
  std::atomic<std::int64_t> ns_{0};
};

}  // namespace millrace
