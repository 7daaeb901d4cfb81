#include "channel/file/group.h"

#include <algorithm>

#include "base/log.h"

namespace millrace::file_channel {
namespace {

constexpr std::size_t kGroupBytes = std::size_t{2} << 20;

void take_puts(Lane& lane) {
  std::size_t bytes = 0;
  while (!lane.pending.empty()) {
    const std::size_t next = lane.pending.front().batch->bytes();
    if (bytes > 0 && bytes + next > kGroupBytes) {
      break;
    }
    bytes += next;
    lane.writing.push_back(std::move(lane.pending.front()));
    lane.pending.pop_front();
  }
}

void take_acks(State& state, Lane& lane, Group& group) {
  if (state.acks.empty()) {
    return;
  }
  group.acks = state.acks.all();
  lane.first_ack = std::exchange(state.first_ack, 0);
  group.dropped = state.backlog.dropped();
  group.must_sync = group.must_sync || state.acks_urgent;
  state.acks.clear();
  state.acks_urgent = false;
}

// The lock is held. The put's numbers are void.
void give_up(State& state, const PendingPut& put) {
  state.backlog.revoke(put.numbers);
  state.in_flight_bytes -= put.batch->bytes();
  state.put_errors.add(put.numbers.count());
  state.add_acks({&put.numbers, 1});
}

// The group failed: its acknowledgements go with another one, as soon as there is a log for them.
void take_acks_back(State& state, Lane& lane, const Group& group) {
  if (group.acks.empty()) {
    return;
  }
  const std::uint64_t first = std::exchange(lane.first_ack, 0);
  state.first_ack = state.first_ack == 0 ? first : std::min(first, state.first_ack);
  state.acks_urgent = true;
  state.add_acks(group.acks);
}

void enter_segment(State& state, Lane& lane, const SegmentPtr& segment) {
  if (!lane.segments.empty()) {
    lane.segments.back()->file.reset();
  }
  lane.segments.push_back(segment);
  lane.last_order = segment->order;
  state.checkpoint_wanted = true;
  state.checkpoint_work.notify_one();
}

// Durable events stay in memory for the takers while there is room, and while none before them
// have gone to disk alone.
void place_put(State& state, Lane& lane, const PendingPut& put, const SegmentPtr& segment,
               std::uint64_t offset) {
  EventRange& numbers = segment->numbers;
  numbers = numbers.empty() ? put.numbers : EventRange{numbers.first, put.numbers.end};
  if (!state.options.sync_each_group) {
    lane.unsynced.add(put.numbers);
  }
  state.backlog.made_durable(put.numbers);
  state.in_flight_bytes -= put.batch->bytes();
  if (lane.unread) {
    return;
  }
  Chunk chunk = Chunk::whole(put.batch, put.numbers.first);
  if (state.backlog.memory() + chunk.cost <= state.options.memory_share) {
    state.backlog.add_ready(std::move(chunk));
  } else {
    lane.unread = Unread{segment, offset, put.numbers.first};
  }
}

}  // namespace

Group take_group(State& state, Lane& lane, bool must_sync) {
  Group group;
  group.must_sync = must_sync;
  take_puts(lane);
  take_acks(state, lane, group);
  return group;
}

void note_synced(Lane& lane, const SegmentPtr& segment, std::uint64_t end) {
  lane.synced_order = segment->order;
  lane.synced_offset = end;
  lane.unsynced.clear();
  lane.last_sync = std::chrono::steady_clock::now();
}

void group_succeeded(State& state, Lane& lane, const Group& group, const GroupPlace& place) {
  std::vector<PendingPut> answered;
  Wakes wakes;
  {
    const std::lock_guard lock(state.mutex);
    if (place.is_new_segment) {
      enter_segment(state, lane, place.segment);
    }
    place.segment->end = place.end;
    for (std::size_t i = 0; i < lane.writing.size(); ++i) {
      place_put(state, lane, lane.writing[i], place.segment, place.from + group.offsets[i]);
    }
    if (group.must_sync) {
      note_synced(lane, place.segment, place.end);
    }
    if (std::exchange(lane.first_ack, 0) != 0) {
      state.acks_written.notify_all();
    }
    lane.trouble.clear();
    answered.swap(lane.writing);
    state.wake_taker();
    wakes = state.wakes_due();
  }
  for (PendingPut& put : answered) {
    put.done({});
  }
  run_all(wakes);
}

void group_failed(State& state, Lane& lane, const Group& group, const Error& error) {
  std::vector<PendingPut> answered;
  {
    const std::lock_guard lock(state.mutex);
    answered.swap(lane.writing);
    std::move(lane.pending.begin(), lane.pending.end(), std::back_inserter(answered));
    lane.pending.clear();
    if (lane.trouble.empty()) {
      log_error(state.options.name, "{}: {}", lane.path.string(), error.message());
    }
    lane.trouble = error.message();
    lane.blocked = true;
    for (const PendingPut& put : answered) {
      give_up(state, put);
    }
    take_acks_back(state, lane, group);
  }
  for (PendingPut& put : answered) {
    put.done(error);
  }
}

void refuse_put(State& state, Lane& lane, std::size_t index) {
  PendingPut put;
  {
    const std::lock_guard lock(state.mutex);
    put = std::move(lane.writing[index]);
    lane.writing.erase(lane.writing.begin() + static_cast<std::ptrdiff_t>(index));
    give_up(state, put);
  }
  put.done(rejected("a batch of more than 4 GiB does not fit into the log"));
}

}  // namespace millrace::file_channel
