#include "channel/file/take_side.h"

#include <algorithm>

#include "base/check.h"
#include "channel/file/loading.h"
#include "channel/file/recall.h"

namespace millrace::file_channel {
namespace {

using RealClock = std::chrono::steady_clock;
using RealTime = RealClock::time_point;
using Lock = std::unique_lock<std::mutex>;

// Reads from the disk what has to come before anything in memory. False when there is no such
// thing, or another taker is at it.
bool read_back(State& state, Lock& lock) {
  for (Lane* const unread : {lane_to_load(state), lane_to_try_again(state)}) {
    if (unread != nullptr && !unread->loading && RealClock::now() >= unread->load_again_at) {
      load_more(state, *unread, lock);
      return true;
    }
  }
  if (!state.backlog.wanted_back().empty() && !state.recalling &&
      RealClock::now() >= state.recall_again_at) {
    recall(state, lock);
    return true;
  }
  return false;
}

// What is ready in one dir waits for what was put before it into another: so a source's events come
// in its order. The lock is gone when there is a lease: a slice is cut without it.
std::optional<Lease> take_ready(State& state, const TakeLimit& limit, Lock& lock) {
  if (lane_to_load(state) != nullptr || state.next_waits_for_log()) {
    return std::nullopt;
  }
  const auto taken = state.backlog.take(limit);
  if (!taken) {
    return std::nullopt;
  }
  if (state.backlog.first_ready() || state.anything_unread()) {
    state.takers.wake_one();
  }
  lock.unlock();
  const Chunk& chunk = taken->second;
  const bool is_whole = chunk.from == 0 && chunk.to == chunk.batch->size();
  return Lease{is_whole ? chunk.batch : chunk.batch->slice(chunk.from, chunk.to), taken->first};
}

// When a taker that nobody wakes has to look again.
RealTime next_look(State& state) {
  RealTime next = RealTime::max();
  if (const auto release = state.backlog.next_release()) {
    next = RealClock::now() + (*release - state.services.clock.steady());
  }
  if (!state.backlog.wanted_back().empty()) {
    next = std::min(next, state.recalling ? RealTime::max() : state.recall_again_at);
  }
  for (const Lane* const unread : {lane_to_load(state), lane_to_try_again(state)}) {
    if (unread != nullptr && !unread->loading) {
      next = std::min(next, unread->load_again_at);
    }
  }
  return next;
}

// The held events by their leases, without their batches.
std::vector<HeldPart> parts_of(std::span<const HeldEvent> held) {
  std::vector<HeldEvent> sorted(held.begin(), held.end());
  std::sort(sorted.begin(), sorted.end(), [](const HeldEvent& a, const HeldEvent& b) {
    return std::pair(a.lease, a.event) < std::pair(b.lease, b.event);
  });
  std::vector<HeldPart> parts;
  for (const HeldEvent& event : sorted) {
    if (parts.empty() || parts.back().lease != event.lease) {
      parts.push_back({event.lease, {}, nullptr});
    }
    parts.back().positions.push_back(event.event);
  }
  return parts;
}

bool is_unlogged(State& state, const Lease& lease) {
  const std::lock_guard lock(state.mutex);
  return state.backlog.is_unlogged(lease);
}

bool may_keep_in_memory(State& state) {
  const std::lock_guard lock(state.mutex);
  return state.backlog.memory() <= state.options.memory_share / 2;
}

// What of the leases is held, with the batches of those that stay in memory.
std::vector<HeldPart> keep_held(State& state, std::span<const Lease> leases,
                                std::span<const HeldEvent> held) {
  std::vector<HeldPart> parts = parts_of(held);
  for (HeldPart& part : parts) {
    const Lease& lease = leases[part.lease];
    const bool has_no_other_place = is_unlogged(state, lease);
    if (has_no_other_place || may_keep_in_memory(state)) {
      // They may stay for long: they pin no more than they need.
      const BatchPtr few = lease.batch->pick(part.positions);
      part.batch = few->compact(state.services.slabs);
      if (part.batch == nullptr && has_no_other_place) {
        part.batch = few;
      }
    }
  }
  return parts;
}

// The lock is held.
Wakes wakes_after_commit(State& state, const std::vector<HeldPart>& held) {
  if (!held.empty()) {
    state.takers.wake_one();  // To wait until the held ones' time.
  }
  return state.wakes_due();
}

}  // namespace

std::optional<Lease> take(State& state, const TakeLimit& limit, RealTime end,
                          std::stop_token stop) {
  Lock lock(state.mutex);
  for (;;) {
    if (!state.open) {
      return std::nullopt;
    }
    state.backlog.release_held(state.services.clock.steady());
    if (read_back(state, lock)) {
      continue;
    }
    if (std::optional<Lease> lease = take_ready(state, limit, lock)) {
      return lease;
    }
    if (stop.stop_requested() || RealClock::now() >= end) {
      return std::nullopt;
    }
    state.takers.sleep(lock, stop, std::min(end, next_look(state)));
  }
}

void commit(State& state, std::span<const Lease> leases, std::span<const HeldEvent> held,
            SteadyTime held_until) {
  std::vector<HeldPart> parts = keep_held(state, leases, held);
  Wakes wakes;
  {
    const std::lock_guard lock(state.mutex);
    if (const auto left = state.backlog.commit(leases, parts, held_until); !left.empty()) {
      state.add_acks(left);
    }
    wakes = wakes_after_commit(state, parts);
  }
  run_all(wakes);
}

Result<> commit_with_intent(State& state, std::span<const Lease> leases,
                            std::span<const HeldEvent> held, SteadyTime held_until,
                            const SinkIntent& intent, std::stop_token stop) {
  CHECK(intent.bytes.size() <= Intents::kMostBytes);
  std::vector<HeldPart> parts = keep_held(state, leases, held);
  const std::stop_callback wake(stop, [&state] {
    const std::lock_guard lock(state.mutex);
    state.acks_written.notify_all();
  });
  Lock lock(state.mutex);
  Intents intents;
  intents.add(
      Intent{std::string(intent.sink), state.intents.next_sequence(), std::string(intent.bytes)});
  const auto left = state.backlog.commit(leases, parts, held_until);
  state.intents.add(intents);
  state.acks_urgent = true;
  state.add_acks(left, intents);
  const std::uint64_t wanted = state.ack_requests;
  const Wakes wakes = wakes_after_commit(state, parts);
  lock.unlock();
  run_all(wakes);
  lock.lock();
  state.acks_written.wait(lock, [&] {
    return state.acks_durable() >= wanted || state.closing || stop.stop_requested();
  });
  if (state.acks_durable() < wanted) {
    return closed("stopping while a commit was not durable yet");
  }
  return {};
}

}  // namespace millrace::file_channel
