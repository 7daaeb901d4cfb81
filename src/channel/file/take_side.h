// What the takers of a file channel do: get events from memory or disk, and let them go.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <stop_token>

#include "channel/file/state.h"

namespace millrace::file_channel {

// Waits for the next events until `end`, a stop request, or the channel's stop. The caller reads
// back what is on disk alone, about 1 MiB at a time. Without the lock; any number of takers.
std::optional<Lease> take(State& state, const TakeLimit& limit,
                          std::chrono::steady_clock::time_point end, std::stop_token stop);

// As Channel::commit(). Held events stay in memory while half of the channel's share is free, else
// they are read back when their time comes.
void commit(State& state, std::span<const Lease> leases, std::span<const HeldEvent> held,
            SteadyTime held_until);

// As Channel::commit_with_intent().
Result<> commit_with_intent(State& state, std::span<const Lease> leases,
                            std::span<const HeldEvent> held, SteadyTime held_until,
                            const SinkIntent& intent, std::stop_token stop);

}  // namespace millrace::file_channel
