// Reads held events back that were let go of because the channel's memory was needed.
#pragma once

#include <mutex>

#include "channel/file/state.h"

namespace millrace::file_channel {

// Reads the first of Backlog::wanted_back(), without the lock, and makes them ready. One taker at a
// time. The lock is held on entry and on return.
void recall(State& state, std::unique_lock<std::mutex>& lock);

}  // namespace millrace::file_channel
