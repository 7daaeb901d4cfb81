// Reads events back that are on disk alone: those over the memory share, and all after a restart.
#pragma once

#include <mutex>

#include "channel/file/state.h"

namespace millrace::file_channel {

// The lane to read from before the first chunk in memory may be taken; null when there is none.
Lane* lane_to_load(State& state);

// One whose reads failed several times in a row: the others do not wait for it any more. Null when
// there is none.
Lane* lane_to_try_again(State& state);

// Reads the next part of the lane's log, about 1 MiB, without the lock, and makes its events ready.
// One taker at a time for a lane. The lock is held on entry and on return.
void load_more(State& state, Lane& lane, std::unique_lock<std::mutex>& lock);

// When nothing is left to read: events that should be in the channel and were in no segment are
// lost, and counted. The lock is held.
void reconcile(State& state);

}  // namespace millrace::file_channel
