// How many events are due by now, so that a rate comes out even.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "base/clock.h"

namespace millrace {

// A rate of 0 is no limit. Time lost to a full peer is caught up for kMostBehind at most: a sender
// that was held up does not come back as a flood. Threads: one.
class Pacer {
 public:
  static constexpr std::chrono::milliseconds kMostBehind{100};
  static constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

  // `per_second` may be a fraction.
  explicit Pacer(double per_second) : per_second_(per_second) {}

  // Events that may go out at `now`. The first call starts the clock.
  std::uint64_t due(SteadyTime now) {
    if (per_second_ <= 0) {
      return kUnlimited;
    }
    if (start_ == SteadyTime{}) {
      start_ = now;
    }
    const std::chrono::duration<double> elapsed = now - start_;
    const double owed = elapsed.count() * per_second_ - taken_;
    const double most =
        std::max(1.0, std::chrono::duration<double>(kMostBehind).count() * per_second_);
    if (owed > most) {
      taken_ += owed - most;  // Given up.
    }
    return owed < 1 ? 0 : static_cast<std::uint64_t>(std::min(owed, most));
  }
  void took(std::uint64_t events) { taken_ += static_cast<double>(events); }

 private:
  const double per_second_;
  SteadyTime start_{};
  double taken_ = 0;  // Sent, or given up. Exact to 2^53.
};

}  // namespace millrace
