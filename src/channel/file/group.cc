#include "channel/file/group.h"

#include <algorithm>

#include "base/log.h"
#include "channel/file/state.h"

namespace millrace::file_channel {
namespace {

constexpr std::size_t kGroupBytes = std::size_t{2} << 20;

void take_puts(Lane& lane, Group& group) {
  std::size_t bytes = 0;
  while (!lane.pending.empty()) {
    const std::size_t next = lane.pending.front().batch->bytes();
    if (bytes > 0 && bytes + next > kGroupBytes) {
      break;
    }
    bytes += next;
    lane.pending_bytes -= next;
    group.puts.push_back(std::move(lane.pending.front()));
    lane.pending.pop_front();
  }
}

void take_acks(State& state, Group& group) {
  if (!state.has_acks()) {
    return;
  }
  group.acks = state.acks.all();
  group.intents = std::exchange(state.new_intents, {});
  group.first_ack = std::exchange(state.first_ack, 0);
  group.dropped = state.backlog.dropped();
  group.voids = state.backlog.settled_voids();
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
void take_acks_back(State& state, const Group& group) {
  if (group.first_ack == 0) {
    return;
  }
  state.first_ack =
      state.first_ack == 0 ? group.first_ack : std::min(group.first_ack, state.first_ack);
  state.acks_urgent = true;
  state.add_acks(group.acks, group.intents);
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

// The lock is held.
void settle(State& state, Lane& lane, const Group& group) {
  const GroupPlace& place = group.place;
  if (place.is_new_segment) {
    enter_segment(state, lane, place.segment);
  }
  place.segment->end = place.end;
  const std::span<const std::uint64_t> offsets = group.bytes.offsets();
  for (std::size_t i = 0; i < group.puts.size(); ++i) {
    place_put(state, lane, group.puts[i], place.segment, place.from + offsets[i]);
  }
  if (group.must_sync) {
    note_synced(lane, place.segment, place.end);
  }
  if (group.first_ack != 0) {
    state.acks_written.notify_all();
  }
}

void empty(Group& group) {
  group.puts.clear();
  group.acks.clear();
  group.intents = {};
  group.first_ack = 0;
  group.place = {};
}

}  // namespace

Group& take_group(State& state, Lane& lane, bool must_sync, GroupPtr group) {
  group->must_sync = must_sync;
  take_puts(lane, *group);
  take_acks(state, *group);
  lane.writing.push_back(std::move(group));
  return *lane.writing.back();
}

void note_synced(Lane& lane, const SegmentPtr& segment, std::uint64_t end) {
  lane.synced_order = segment->order;
  lane.synced_offset = end;
  lane.unsynced.clear();
  lane.last_sync = std::chrono::steady_clock::now();
}

std::vector<GroupPtr> groups_succeeded(State& state, Lane& lane, std::uint64_t end) {
  std::vector<GroupPtr> settled;
  Wakes wakes;
  {
    const std::lock_guard lock(state.mutex);
    while (!lane.writing.empty() && lane.writing.front()->place.segment != nullptr &&
           lane.writing.front()->place.end <= end) {
      settle(state, lane, *lane.writing.front());
      settled.push_back(std::move(lane.writing.front()));
      lane.writing.pop_front();
    }
    lane.trouble.clear();
    state.settle_voids();
    state.takers.wake_one();
    wakes = state.wakes_due();
  }
  for (const GroupPtr& group : settled) {
    for (PendingPut& put : group->puts) {
      put.done({});
    }
    empty(*group);
  }
  run_all(wakes);
  return settled;
}

void lane_failed(State& state, Lane& lane, const Error& error) {
  std::vector<PendingPut> answered;
  {
    const std::lock_guard lock(state.mutex);
    for (const GroupPtr& group : lane.writing) {
      std::move(group->puts.begin(), group->puts.end(), std::back_inserter(answered));
      take_acks_back(state, *group);
    }
    lane.writing.clear();
    std::move(lane.pending.begin(), lane.pending.end(), std::back_inserter(answered));
    lane.pending.clear();
    lane.pending_bytes = 0;
    if (lane.trouble.empty()) {
      log_error(state.options.name, "{}: {}", lane.path.string(), error.message());
    }
    lane.trouble = error.message();
    lane.blocked = true;
    for (const PendingPut& put : answered) {
      give_up(state, put);
    }
    state.settle_voids();
    if (state.has_acks()) {
      state.acks_urgent = true;
      state.add_acks({});  // Wakes the dir that has them to write now.
    }
    state.takers.wake_one();  // Events behind these may have waited for them.
  }
  for (PendingPut& put : answered) {
    put.done(error);
  }
}

void refuse_put(State& state, Group& group, std::size_t index) {
  PendingPut put;
  {
    const std::lock_guard lock(state.mutex);
    put = std::move(group.puts[index]);
    group.puts.erase(group.puts.begin() + static_cast<std::ptrdiff_t>(index));
    give_up(state, put);
    state.settle_voids();
    state.takers.wake_one();
  }
  put.done(rejected("a batch of more than 4 GiB does not fit into the log"));
}

}  // namespace millrace::file_channel
