#include "channel/file/committer.h"

#include <pthread.h>

#include <algorithm>

#include "base/log.h"

namespace millrace::file_channel {
namespace {

using SteadyClock = std::chrono::steady_clock;
constexpr std::size_t kGroupBytes = std::size_t{2} << 20;
constexpr auto kAcksWait = std::chrono::milliseconds(5);
constexpr auto kTryAgainAfter = std::chrono::seconds(1);
constexpr auto kLongWait = std::chrono::seconds(60);

}  // namespace

Committer::Committer(State& state, Lane& lane) : state_(state), lane_(lane) {
  thread_ = std::jthread([this] { run(); });
  pthread_setname_np(thread_.native_handle(), "log committer");
}

Committer::~Committer() {
  {
    const std::lock_guard lock(state_.mutex);
    lane_.work.notify_one();
  }
  thread_.join();
}

void Committer::run() {
  Lock lock(state_.mutex);
  Group group;
  while (next_group(lock, group)) {
    lock.unlock();
    commit(group);
    lock.lock();
  }
}

// Waits for work. False when the channel closes and everything is written.
bool Committer::next_group(Lock& lock, Group& group) {
  for (;;) {
    group = Group();
    if (lane_.blocked) {
      try_to_unblock(lock);
      if (lane_.blocked && !state_.closing) {
        continue;
      }
    }
    if (!lane_.pending.empty() || acks_are_due() || sync_is_due()) {
      take_puts(group);
      take_acks(group);
      return true;
    }
    if (state_.closing) {
      return false;
    }
    wait(lock);
  }
}

bool Committer::acks_are_due() const {
  if (state_.acks.empty() || state_.lane_for_acks() != &lane_) {
    return false;
  }
  return state_.acks_urgent || state_.closing ||
         SteadyClock::now() >= state_.acks_since + kAcksWait;
}

bool Committer::sync_is_due() const {
  return !lane_.unsynced.empty() &&
         (state_.closing || SteadyClock::now() >= last_sync_ + state_.options.sync_interval);
}

void Committer::wait(Lock& lock) {
  SteadyClock::time_point until = SteadyClock::now() + kLongWait;
  if (!state_.acks.empty() && state_.lane_for_acks() == &lane_) {
    until = std::min(until, state_.acks_since + kAcksWait);
  }
  if (!lane_.unsynced.empty()) {
    until = std::min(until, last_sync_ + state_.options.sync_interval);
  }
  lane_.work.wait_until(lock, until);
}

void Committer::take_puts(Group& group) {
  std::size_t bytes = 0;
  while (!lane_.pending.empty()) {
    const std::size_t next = lane_.pending.front().batch->bytes();
    if (bytes > 0 && bytes + next > kGroupBytes) {
      break;
    }
    bytes += next;
    lane_.writing.push_back(std::move(lane_.pending.front()));
    lane_.pending.pop_front();
  }
  group.must_sync = state_.options.sync_each_group || sync_is_due();
}

void Committer::take_acks(Group& group) {
  if (state_.acks.empty()) {
    return;
  }
  group.acks = state_.acks.all();
  group.ack_requests = state_.ack_requests;
  group.dropped = state_.backlog.dropped();
  group.must_sync = group.must_sync || state_.acks_urgent;
  state_.acks.clear();
  state_.acks_urgent = false;
}

void Committer::commit(Group& group) {
  encode(group);
  if (writer_.empty()) {
    sync_only();
    return;
  }
  const Result<GroupPlace> place = lane_.log->write(writer_, group.must_sync);
  if (place.ok()) {
    publish(group, *place);
  } else {
    fail(group, place.error());
  }
}

// Lane::writing is changed by this thread alone: it can be read without the lock.
void Committer::encode(const Group& group) {
  writer_.clear();
  std::vector<std::size_t> too_large;
  for (std::size_t i = 0; i < lane_.writing.size(); ++i) {
    const PendingPut& put = lane_.writing[i];
    if (!writer_.add_put(put.numbers.first, *put.batch)) {
      too_large.push_back(i);
    }
  }
  offsets_.assign(writer_.offsets().begin(), writer_.offsets().end());
  if (!group.acks.empty()) {
    writer_.add_acknowledgement(group.acks, group.dropped);
  }
  for (auto i = too_large.rbegin(); i != too_large.rend(); ++i) {
    refuse(*i);
  }
}

void Committer::refuse(std::size_t index) {
  PendingPut put;
  {
    const std::lock_guard lock(state_.mutex);
    put = std::move(lane_.writing[index]);
    lane_.writing.erase(lane_.writing.begin() + static_cast<std::ptrdiff_t>(index));
    give_up(put);
  }
  put.done(rejected("a batch of more than 4 GiB does not fit into the log"));
}

// The lock is held. The put's numbers are void.
void Committer::give_up(const PendingPut& put) {
  state_.backlog.revoke(put.numbers);
  state_.in_flight_bytes -= put.batch->bytes();
  state_.put_errors.add(put.numbers.count());
  state_.add_acks({&put.numbers, 1});
}

void Committer::publish(const Group& group, const GroupPlace& place) {
  std::vector<PendingPut> answered;
  Wakes wakes;
  {
    const std::lock_guard lock(state_.mutex);
    if (place.is_new_segment) {
      if (!lane_.segments.empty()) {
        lane_.segments.back()->file.reset();
      }
      lane_.segments.push_back(place.segment);
      lane_.last_order = place.segment->order;
      state_.checkpoint_wanted = true;
      state_.checkpoint_work.notify_one();
    }
    place.segment->end = place.end;
    place_puts(place);
    if (group.must_sync) {
      note_synced(place.segment, place.end);
    }
    if (!group.acks.empty() && group.must_sync) {
      state_.acks_durable = std::max(state_.acks_durable, group.ack_requests);
      state_.acks_written.notify_all();
    }
    lane_.trouble.clear();
    answered.swap(lane_.writing);
    state_.wake_taker();
    wakes = state_.wakes_due();
  }
  for (PendingPut& put : answered) {
    put.done({});
  }
  run_all(wakes);
}

// Durable events stay in memory for the takers while there is room, and while none before them
// have gone to disk alone.
void Committer::place_puts(const GroupPlace& place) {
  for (std::size_t i = 0; i < lane_.writing.size(); ++i) {
    const PendingPut& put = lane_.writing[i];
    EventRange& numbers = place.segment->numbers;
    numbers = numbers.empty() ? put.numbers : EventRange{numbers.first, put.numbers.end};
    if (!state_.options.sync_each_group) {
      lane_.unsynced.add(put.numbers);
    }
    state_.backlog.made_durable(put.numbers);
    state_.in_flight_bytes -= put.batch->bytes();
    if (lane_.unread) {
      continue;
    }
    Chunk chunk = Chunk::whole(put.batch, put.numbers.first);
    if (state_.backlog.memory() + chunk.cost <= state_.options.memory_share) {
      state_.backlog.add_ready(std::move(chunk));
    } else {
      lane_.unread = Unread{place.segment, place.from + offsets_[i], put.numbers.first};
    }
  }
}

void Committer::note_synced(const SegmentPtr& segment, std::uint64_t end) {
  lane_.synced_order = segment->order;
  lane_.synced_offset = end;
  lane_.unsynced.clear();
  last_sync_ = SteadyClock::now();
}

// Nothing of the group counts as written: its numbers are void, its acknowledgements go elsewhere.
void Committer::fail(const Group& group, const Error& error) {
  std::vector<PendingPut> answered;
  {
    const std::lock_guard lock(state_.mutex);
    answered.swap(lane_.writing);
    std::move(lane_.pending.begin(), lane_.pending.end(), std::back_inserter(answered));
    lane_.pending.clear();
    if (lane_.trouble.empty()) {
      log_error(state_.options.name, "{}: {}", lane_.path.string(), error.message());
    }
    lane_.trouble = error.message();
    lane_.blocked = true;
    for (const PendingPut& put : answered) {
      give_up(put);
    }
    state_.add_acks(group.acks);
  }
  for (PendingPut& put : answered) {
    put.done(error);
  }
}

void Committer::sync_only() {
  const Result<> synced = lane_.log->sync();
  const std::lock_guard lock(state_.mutex);
  if (!synced.ok()) {
    log_error(state_.options.name, "{}: {}; events answered since the last sync may be lost",
              lane_.path.string(), synced.error().message());
    state_.put_errors.add(lane_.unsynced.count());
  }
  if (!lane_.segments.empty()) {
    note_synced(lane_.segments.back(), lane_.segments.back()->end);
  }
}

// The lock is held on entry and on return.
void Committer::try_to_unblock(Lock& lock) {
  if (!state_.closing) {
    lane_.work.wait_for(lock, kTryAgainAfter);
  }
  lock.unlock();
  const Result<> prepared = lane_.log->prepare(kBlock);
  lock.lock();
  if (!prepared.ok() && !state_.closing) {
    lane_.trouble = prepared.error().message();
    return;
  }
  if (!prepared.ok()) {
    return;  // Closing: the acknowledgements stay in the checkpoint alone.
  }
  lane_.blocked = false;
  lane_.trouble.clear();
  const Wakes wakes = state_.wakes_due();
  lock.unlock();
  run_all(wakes);
  lock.lock();
}

}  // namespace millrace::file_channel
