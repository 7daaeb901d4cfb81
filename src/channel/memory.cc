#include "channel/memory.h"

#include <algorithm>

#include "core/channel_metrics.h"

namespace millrace {
namespace {

MemoryRoom::Limits limits_of(const MemoryChannelConfig& config, std::size_t memory_share) {
  return {.events = config.capacity,
          .bytes = config.byte_capacity ? config.byte_capacity->value : memory_share,
          .buffer_percentage = config.byte_capacity_buffer_percentage,
          .slot_bytes = config.slot_bytes};
}

}  // namespace

MemoryChannel::MemoryChannel(Config config, ChannelContext context)
    : LimitedChannel(config, context.metrics),
      slabs_(context.services.slabs),
      room_(limits_of(config, context.memory_share)) {
  declare_channel_metrics(metrics_, *this);
}

MemoryChannel::~MemoryChannel() {
  metrics_.drop_computed();
}

Result<> MemoryChannel::start() {
  const std::lock_guard lock(mutex_);
  open_ = true;
  return {};
}

void MemoryChannel::stop() {
  std::vector<std::function<void()>> wakes;
  {
    const std::lock_guard lock(mutex_);
    open_ = false;
    wakes.swap(room_wanted_);
  }
  arrived_.notify_all();
  for (const std::function<void()>& wake : wakes) {
    wake();
  }
}

bool MemoryChannel::has_room(std::size_t events, std::uint64_t slots) const {
  // A batch of more slots than there are goes in alone, or it would wait for ever.
  return room_.fits(events, room_.slots() == 0 ? 0 : slots);
}

PutStatus MemoryChannel::put(const BatchPtr& batch, PutDone& done) {
  const std::uint64_t slots = room_.slots_of(*batch);
  put_attempts_.add(batch->size());
  bool wake_taker = false;
  {
    const std::lock_guard lock(mutex_);
    if (!open_) {
      return PutStatus::kClosed;
    }
    if (!has_room(batch->size(), slots)) {
      used_at_refusal_ = room_.events();
      least_refused_events_ = std::min(least_refused_events_, batch->size());
      least_refused_slots_ = std::min(least_refused_slots_, slots);
      return PutStatus::kFull;
    }
    room_.take(batch->size(), slots);
    put_ += batch->size();
    queue_.push_back({batch});
    wake_taker = takers_asleep_ > 0;
  }
  if (wake_taker) {
    arrived_.notify_one();
  }
  const PutDone committed = std::move(done);
  committed({});
  return PutStatus::kAccepted;
}

void MemoryChannel::when_room(std::function<void()> wake) {
  {
    const std::lock_guard lock(mutex_);
    // Woken at half: the source then finds room for many batches. If events have left since it was
    // refused, there may be nobody left to wake it.
    if (open_ && room_.events() > 0 && room_.events() >= used_at_refusal_) {
      room_wanted_.push_back(std::move(wake));
      return;
    }
  }
  wake();
}

// The lock is held. At half of what held events leave free, so that a source finds room for many
// puts; and never before the smallest put that was refused may fit.
bool MemoryChannel::has_room_for_many() const {
  return room_.is_half_free(held_events_, held_slots_) &&
         (least_refused_events_ == SIZE_MAX ||
          has_room(least_refused_events_, least_refused_slots_));
}

// The lock is held. Callbacks that have become due.
std::vector<std::function<void()>> MemoryChannel::wakes_due() {
  if (room_wanted_.empty() || !has_room_for_many()) {
    return {};
  }
  least_refused_events_ = SIZE_MAX;
  least_refused_slots_ = UINT64_MAX;
  return std::exchange(room_wanted_, {});
}

std::optional<Lease> MemoryChannel::take(const TakeLimit& limit, SteadyTime deadline,
                                         std::stop_token stop) {
  take_attempts_.add();
  std::unique_lock lock(mutex_);
  for (;;) {
    if (std::optional<Lease> lease = take_waiting(limit)) {
      return lease;
    }
    const SteadyTime now = std::chrono::steady_clock::now();
    if (!open_ || stop.stop_requested() || now >= deadline) {
      return std::nullopt;
    }
    const SteadyTime wake = held_.empty() ? deadline : std::min(deadline, held_.front().not_before);
    ++takers_asleep_;
    arrived_.wait_until(lock, stop, wake, [&] { return !queue_.empty() || !open_; });
    --takers_asleep_;
  }
}

std::optional<Lease> MemoryChannel::take_waiting(const TakeLimit& limit) {
  const bool held_due =
      !held_.empty() && held_.front().not_before <= std::chrono::steady_clock::now();
  std::deque<Waiting>& from = held_due ? held_ : queue_;
  if (from.empty()) {
    return std::nullopt;
  }
  Waiting& waiting = from.front();
  Lease lease = cut(waiting, limit);
  if (held_due) {
    held_events_ -= lease.batch->size();
    held_slots_ -= room_.slots_of(*lease.batch);
  }
  if (waiting.from == waiting.batch->size()) {
    from.pop_front();
  }
  return lease;
}

Lease MemoryChannel::cut(Waiting& waiting, const TakeLimit& limit) const {
  const std::size_t size = waiting.batch->size();
  const std::size_t to = waiting.from + limit.events_of(*waiting.batch, waiting.from, size);
  const bool whole = waiting.from == 0 && to == size;
  Lease lease{whole ? waiting.batch : waiting.batch->slice(waiting.from, to)};
  waiting.from = to;
  return lease;
}

void MemoryChannel::commit(std::span<const Lease> leases, std::span<const HeldEvent> held,
                           SteadyTime held_until) {
  std::size_t events = 0;
  std::uint64_t slots = 0;
  std::vector<std::vector<std::uint32_t>> kept(held.empty() ? 0 : leases.size());
  for (const HeldEvent& event : held) {
    kept[event.lease].push_back(event.event);
  }
  std::vector<Waiting> to_hold;
  std::uint64_t held_slots = 0;
  for (std::size_t i = 0; i < leases.size(); ++i) {
    events += leases[i].batch->size();
    slots += room_.slots_of(*leases[i].batch);
    if (!kept.empty() && !kept[i].empty()) {
      const BatchPtr few = leases[i].batch->pick(kept[i]);
      const BatchPtr copy = few->compact(slabs_);  // They may stay for long: they pin no more.
      to_hold.push_back({copy != nullptr ? copy : few, 0, held_until});
      held_slots += room_.slots_of(*few);
    }
  }
  events -= held.size();
  slots -= held_slots;
  std::vector<std::function<void()>> wakes;
  {
    const std::lock_guard lock(mutex_);
    room_.give_back(events, slots);
    committed_ += events;
    held_events_ += held.size();
    held_slots_ += held_slots;
    std::move(to_hold.begin(), to_hold.end(), std::back_inserter(held_));
    wakes = wakes_due();
  }
  for (const std::function<void()>& wake : wakes) {
    wake();
  }
}

void MemoryChannel::roll_back(std::span<const Lease> leases) {
  {
    const std::lock_guard lock(mutex_);
    for (auto lease = leases.rbegin(); lease != leases.rend(); ++lease) {
      queue_.push_front({lease->batch});
    }
  }
  arrived_.notify_all();
}

void MemoryChannel::count_dropped(std::size_t events) {
  const std::lock_guard lock(mutex_);
  dropped_ += events;
}

ChannelCounts MemoryChannel::counts() const {
  const std::lock_guard lock(mutex_);
  return {.put = put_,
          .acknowledged = committed_ - std::min(committed_, dropped_),
          .dropped = std::min(committed_, dropped_),
          .held = held_events_,
          .in_channel = room_.events() - held_events_};
}

std::string MemoryChannel::promise() const {
  return "memory: committed = in this process; a kill or a crash loses what is inside";
}

const RegisterChannel<MemoryChannel> entry{"memory", "org.apache.flume.channel.MemoryChannel",
                                           "Holds events in the memory of this process."};

}  // namespace millrace
