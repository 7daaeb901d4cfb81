// Shows how far a run has come, on stderr.
#pragma once

#include <cstdint>
#include <string>

#include "base/clock.h"

namespace millrace {

// "12,345,678".
std::string with_commas(std::uint64_t number);

// One line for `done` of `whole` events (whole 0: not known) at `per_second`: with a bar where the
// whole is known.
std::string progress_line(std::uint64_t done, std::uint64_t whole, double per_second);

// On a terminal a line that is drawn over and over; else a line every few seconds. Threads: one.
class ProgressDisplay {
 public:
  ProgressDisplay(bool wanted, std::uint64_t whole, SteadyTime start);

  void show(std::uint64_t done, SteadyTime now);
  // Ends the line that is being drawn.
  void end(std::uint64_t done, SteadyTime now);

 private:
  void draw(std::uint64_t done, SteadyTime now);

  const bool wanted_;
  const bool terminal_;
  const std::uint64_t whole_;
  SteadyTime last_;
  std::uint64_t last_done_ = 0;
};

}  // namespace millrace
