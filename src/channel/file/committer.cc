#include "channel/file/committer.h"

#include <pthread.h>

#include <algorithm>
#include <utility>

#include "base/log.h"

namespace millrace::file_channel {
namespace {

using SteadyClock = std::chrono::steady_clock;
constexpr auto kAcksWait = std::chrono::milliseconds(5);
constexpr auto kTryAgainAfter = std::chrono::seconds(1);
constexpr auto kLongWait = std::chrono::seconds(60);
// While a sync is under way: less is not worth a group of its own, more is not written behind it.
constexpr std::size_t kWorthWriting = std::size_t{1} << 20;
constexpr std::uint64_t kMostUnsynced = std::uint64_t{4} << 20;
// A group that is synced at once: to hand it over would take longer than it saves.
constexpr std::uint64_t kSmallGroup = 64 * 1024;

}  // namespace

Committer::Committer(State& state, Lane& lane)
    : state_(state), lane_(lane), syncer_([this] {
        const std::lock_guard lock(state_.mutex);
        lane_.work.notify_one();
      }) {
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
  while (!is_over(lock)) {
    if (auto outcome = syncer_.take_outcome()) {
      lock.unlock();
      settle(*std::move(outcome));
      lock.lock();
    } else if (group_is_due()) {
      GroupPtr group = std::make_unique<Group>();
      if (!idle_.empty()) {
        group = std::move(idle_.back());
        idle_.pop_back();
      }
      const bool must_sync = state_.options.sync_each_group || sync_is_due();
      Group& taken = take_group(state_, lane_, must_sync, std::move(group));
      lock.unlock();
      commit(taken);
      lock.lock();
    } else {
      wait(lock);
    }
  }
  lock.unlock();
  if (const Result<> synced = lane_.log->sync(); !synced.ok()) {
    report(synced.error());
  }
}

// When the channel closes and everything is written. A blocked lane is tried first, and once more
// when the channel closes: what fails then stays in the checkpoint alone.
bool Committer::is_over(Lock& lock) {
  while (lane_.blocked) {
    if (state_.closing && std::exchange(tried_at_close_, true)) {
      return true;
    }
    try_to_unblock(lock);
    if (state_.closing) {
      break;
    }
  }
  return state_.closing && lane_.writing.empty() && !group_is_due();
}

bool Committer::group_is_due() const {
  if (syncer_.busy()) {
    return lane_.pending_bytes >= kWorthWriting && unsynced_ < kMostUnsynced;
  }
  return !lane_.pending.empty() || acks_are_due() || sync_is_due();
}

bool Committer::acks_are_due() const {
  if (!state_.has_acks() || state_.lane_for_acks() != &lane_) {
    return false;
  }
  return state_.acks_urgent || state_.closing ||
         SteadyClock::now() >= state_.acks_since + kAcksWait;
}

// Not while there is no segment to write to: a channel that closes must come to its end.
bool Committer::sync_is_due() const {
  return !lane_.unsynced.empty() && !lane_.blocked &&
         (state_.closing || SteadyClock::now() >= lane_.last_sync + state_.options.sync_interval);
}

void Committer::wait(Lock& lock) {
  SteadyClock::time_point until = SteadyClock::now() + kLongWait;
  const bool busy = syncer_.busy();
  if (!busy && state_.has_acks() && state_.lane_for_acks() == &lane_) {
    until = std::min(until, state_.acks_since + kAcksWait);
  }
  if (!lane_.unsynced.empty()) {
    until = std::min(until, lane_.last_sync + state_.options.sync_interval);
  }
  lane_.wake_at_bytes = busy ? kWorthWriting : 0;
  lane_.work.wait_until(lock, until);
  lane_.wake_at_bytes = Lane::kAwake;
}

void Committer::commit(Group& group) {
  encode(group);
  if (group.bytes.empty()) {
    sync_only();
    return;
  }
  if (lane_.log->must_roll(group.bytes.size())) {
    finish_syncs();
  }
  if (lane_.writing.empty()) {
    return;  // What came before failed, and this one with it.
  }
  if (const Result<> appended = append(group); !appended.ok()) {
    fail(appended.error());
    return;
  }
  make_durable(group);
}

void Committer::encode(Group& group) {
  group.bytes.clear(state_.options.encryption.encrypts());
  std::vector<std::size_t> too_large;
  const std::int64_t now = state_.services.clock.wall_ms();
  for (std::size_t i = 0; i < group.puts.size(); ++i) {
    const PendingPut& put = group.puts[i];
    if (!group.bytes.add_put(put.numbers.first, *put.batch, now)) {
      too_large.push_back(i);
    }
  }
  if (group.first_ack != 0) {
    group.bytes.add_acknowledgement(group.acks, group.dropped, group.voids, group.intents);
  }
  for (auto i = too_large.rbegin(); i != too_large.rend(); ++i) {
    refuse_put(state_, group, *i);
  }
}

// Writes the group; into another segment when the first try fails.
Result<> Committer::append(Group& group) {
  Result<GroupPlace> place = lane_.log->append(group.bytes);
  if (!place.ok()) {
    report(place.error());
    finish_syncs();
    if (lane_.writing.empty()) {
      return std::move(place).error();
    }
    static_cast<void>(lane_.log->sync());  // Of what was answered before its sync; else a no-op.
    lane_.log->give_up();
    place = lane_.log->append(group.bytes);
  }
  group.place = TRY(std::move(place));
  // From its first group on a checkpoint speaks of a segment: a power loss must not take it back.
  group.must_sync = group.must_sync || group.place.is_new_segment;
  unsynced_ += group.bytes.size();
  return {};
}

void Committer::make_durable(const Group& group) {
  const std::uint64_t end = group.place.end;
  const bool at_once = unsynced_ <= kSmallGroup && !syncer_.busy();
  if (!group.must_sync) {
    settle({end, {}});
  } else if (at_once || !state_.options.sync_each_group) {
    settle({end, lane_.log->sync()});
  } else {
    syncer_.request(lane_.log->file(), end);
  }
}

// Answers the groups before the outcome's end. When they do not count, all that is written and not
// settled goes to another segment.
void Committer::settle(Syncer::Outcome outcome) {
  if (outcome.result.ok()) {
    outcome.result = lane_.log->settle(outcome.end, state_.options.sync_each_group);
  }
  if (outcome.result.ok()) {
    answer(outcome.end);
    return;
  }
  report(outcome.result.error());
  wait_for_syncer();
  static_cast<void>(syncer_.take_outcome());  // Of a segment that is given up.
  lane_.log->give_up();
  if (const Result<> written = write_again(); !written.ok()) {
    fail(written.error());
  }
}

Result<> Committer::write_again() {
  std::size_t written = 0;
  for (const GroupPtr& group : lane_.writing) {
    written += group->place.segment != nullptr ? 1 : 0;
    group->place = {};
  }
  for (; written > 0; --written) {
    Group& group = *lane_.writing.front();
    group.place = TRY(lane_.log->append(group.bytes));
    if (group.must_sync) {
      TRY(lane_.log->sync());
    }
    TRY(lane_.log->settle(group.place.end, group.must_sync));
    answer(group.place.end);
  }
  return {};
}

void Committer::answer(std::uint64_t end) {
  for (GroupPtr& group : groups_succeeded(state_, lane_, end)) {
    unsynced_ -= group->bytes.size();
    idle_.push_back(std::move(group));
  }
}

void Committer::fail(const Error& error) {
  lane_.log->give_up();
  lane_failed(state_, lane_, error);
  unsynced_ = 0;
}

void Committer::report(const Error& error) const {
  log_error(state_.options.name, "{}: {}; what is not durable goes to another segment",
            lane_.path.string(), error.message());
}

// Until no sync is under way.
void Committer::wait_for_syncer() {
  Lock lock(state_.mutex);
  while (syncer_.busy()) {
    lane_.work.wait_for(lock, kLongWait);
  }
}

// Until all that is written is settled.
void Committer::finish_syncs() {
  wait_for_syncer();
  if (auto outcome = syncer_.take_outcome()) {
    settle(*std::move(outcome));
  }
}

// For a group without anything to write.
void Committer::sync_only() {
  const Result<> synced = state_.options.sync_each_group ? Result<>() : lane_.log->sync();
  const std::lock_guard lock(state_.mutex);
  if (!synced.ok()) {
    log_error(state_.options.name, "{}: {}; events answered since the last sync may be lost",
              lane_.path.string(), synced.error().message());
    state_.put_errors.add(lane_.unsynced.count());
  }
  if (!state_.options.sync_each_group && !lane_.segments.empty()) {
    note_synced(lane_, lane_.segments.back(), lane_.segments.back()->end);
  }
  idle_.push_back(std::move(lane_.writing.back()));
  lane_.writing.pop_back();
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
