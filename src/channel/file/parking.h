// What becomes at an orderly stop of events that are in memory alone.
#pragma once

#include <cstdint>
#include <memory>

#include "channel/file/state.h"

namespace millrace::file_channel {

// Those that were given to the log, and how many it did not take. Under the channel's lock.
struct Parked {
  std::uint64_t events = 0;
  std::uint64_t lost = 0;
};

// Gives them all, leased and held ones too, to the lane for parking: with their numbers, so that
// after the next start they come in their turn among those that were in the log. The lock is held,
// and committers run; when they have ended the figures are final.
std::shared_ptr<const Parked> park(State& state);

}  // namespace millrace::file_channel
