#include "channel/file/committer.h"

#include <pthread.h>

#include <algorithm>

#include "base/log.h"

namespace millrace::file_channel {
namespace {

using SteadyClock = std::chrono::steady_clock;
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
    if (lane_.blocked) {
      try_to_unblock(lock);
      if (lane_.blocked && !state_.closing) {
        continue;
      }
    }
    if (!lane_.pending.empty() || acks_are_due() || sync_is_due()) {
      group = take_group(state_, lane_, state_.options.sync_each_group || sync_is_due());
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
         (state_.closing || SteadyClock::now() >= lane_.last_sync + state_.options.sync_interval);
}

void Committer::wait(Lock& lock) {
  SteadyClock::time_point until = SteadyClock::now() + kLongWait;
  if (!state_.acks.empty() && state_.lane_for_acks() == &lane_) {
    until = std::min(until, state_.acks_since + kAcksWait);
  }
  if (!lane_.unsynced.empty()) {
    until = std::min(until, lane_.last_sync + state_.options.sync_interval);
  }
  lane_.work.wait_until(lock, until);
}

void Committer::commit(Group& group) {
  encode(group);
  if (writer_.empty()) {
    sync_only();
    return;
  }
  const Result<GroupPlace> place = lane_.log->write(writer_, group.must_sync);
  if (place.ok()) {
    group_succeeded(state_, lane_, group, *place);
  } else {
    group_failed(state_, lane_, group, place.error());
  }
}

// Lane::writing is changed by this thread alone: it can be read without the lock.
void Committer::encode(Group& group) {
  writer_.clear();
  std::vector<std::size_t> too_large;
  const std::int64_t now = state_.services.clock.wall_ms();
  for (std::size_t i = 0; i < lane_.writing.size(); ++i) {
    const PendingPut& put = lane_.writing[i];
    if (!writer_.add_put(put.numbers.first, *put.batch, now)) {
      too_large.push_back(i);
    }
  }
  group.offsets.assign(writer_.offsets().begin(), writer_.offsets().end());
  if (!group.acks.empty()) {
    writer_.add_acknowledgement(group.acks, group.dropped);
  }
  for (auto i = too_large.rbegin(); i != too_large.rend(); ++i) {
    refuse_put(state_, lane_, *i);
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
    note_synced(lane_, lane_.segments.back(), lane_.segments.back()->end);
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
