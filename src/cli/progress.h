// Shows how far a run has come, on stderr.
#pragma once

#include <cstdint>
#include <string>

#include "base/clock.h"

namespace millrace {

enum class ProgressUnit { kEvents, kBytes };

// One line for `done` of `whole` (0: not known) at `per_second`: with a bar where the whole is
// known.
std::string progress_line(std::uint64_t done, std::uint64_t whole, double per_second,
                          ProgressUnit unit = ProgressUnit::kEvents);

// On a terminal a line that is drawn over and over; else a line every few seconds. Threads: one.
class ProgressDisplay {
 public:
  ProgressDisplay(bool wanted, std::uint64_t whole, SteadyTime start,
                  ProgressUnit unit = ProgressUnit::kEvents);
  // On a terminal alone, from now on.
  ProgressDisplay(std::uint64_t whole, ProgressUnit unit);

  void show(std::uint64_t done, SteadyTime now = std::chrono::steady_clock::now());
  // Ends the line that is being drawn.
  void end(std::uint64_t done, SteadyTime now = std::chrono::steady_clock::now());

 private:
  void draw(std::uint64_t done, SteadyTime now);

  const bool wanted_;
  const bool terminal_;
  const std::uint64_t whole_;
  const ProgressUnit unit_;
  SteadyTime last_;
  std::uint64_t last_done_ = 0;
};

}  // namespace millrace
