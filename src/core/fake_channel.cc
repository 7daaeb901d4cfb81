#include "core/fake_channel.h"

#include <thread>
#include <utility>

namespace millrace {

void FakeChannel::answer(Result<> result) {
  PutDone done;
  {
    const std::lock_guard lock(mutex_);
    done = std::move(answers_.front());
    answers_.pop_front();
  }
  done(std::move(result));
}

std::size_t FakeChannel::unanswered() const {
  const std::lock_guard lock(mutex_);
  return answers_.size();
}

void FakeChannel::make_room() {
  std::vector<std::function<void()>> wakes;
  {
    const std::lock_guard lock(mutex_);
    queue_.clear();
    size_ = 0;
    wakes.swap(wakes_);
  }
  for (const std::function<void()>& wake : wakes) {
    wake();
  }
}

std::vector<std::string> FakeChannel::bodies() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> bodies;
  for (const BatchPtr& batch : queue_) {
    for (const EventRef& event : *batch) {
      bodies.emplace_back(event.body());
    }
  }
  return bodies;
}

std::vector<std::size_t> FakeChannel::batch_sizes() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::size_t> sizes;
  for (const BatchPtr& batch : queue_) {
    sizes.push_back(batch->size());
  }
  return sizes;
}

PutStatus FakeChannel::put(const BatchPtr& batch, PutDone& done) {
  PutDone answer_now;
  {
    const std::lock_guard lock(mutex_);
    if (closed_) {
      return PutStatus::kClosed;
    }
    if (size_ + batch->size() > capacity_) {
      return PutStatus::kFull;
    }
    queue_.push_back(batch);
    size_ += batch->size();
    counts_.put += batch->size();
    (deferred_ ? answers_.emplace_back() : answer_now) = std::move(done);
  }
  if (answer_now) {
    answer_now({});
  }
  return PutStatus::kAccepted;
}

void FakeChannel::when_room(std::function<void()> wake) {
  const std::lock_guard lock(mutex_);
  wakes_.push_back(std::move(wake));
}

std::optional<Lease> FakeChannel::take(const TakeLimit&, SteadyTime deadline,
                                       std::stop_token stop) {
  for (;;) {
    {
      const std::lock_guard lock(mutex_);
      if (!queue_.empty()) {
        Lease lease{queue_.front()};
        queue_.pop_front();
        return lease;
      }
    }
    if (stop.stop_requested() || std::chrono::steady_clock::now() >= deadline) {
      return std::nullopt;
    }
    std::this_thread::yield();
  }
}

void FakeChannel::commit(std::span<const Lease> leases, std::span<const HeldEvent> held,
                         SteadyTime) {
  const std::lock_guard lock(mutex_);
  for (const Lease& lease : leases) {
    size_ -= lease.batch->size();
    counts_.acknowledged += lease.batch->size();
  }
  counts_.acknowledged -= held.size();
  counts_.held += held.size();
}

Result<> FakeChannel::commit_with_intent(std::span<const Lease> leases,
                                         std::span<const HeldEvent> held, SteadyTime held_until,
                                         const SinkIntent& intent, std::stop_token) {
  if (left_open_ == false) {
    roll_back(leases);  // As a start that finds no commit.
    return closed("stopping");
  }
  commit(leases, held, held_until);
  const std::lock_guard lock(mutex_);
  intents_[std::string(intent.sink)] = intent.bytes;
  return left_open_ ? Result<>(closed("stopping")) : Result<>();
}

std::string FakeChannel::intent_of(std::string_view sink) const {
  const std::lock_guard lock(mutex_);
  const auto found = intents_.find(sink);
  return found == intents_.end() ? std::string() : found->second;
}

void FakeChannel::roll_back(std::span<const Lease> leases) {
  const std::lock_guard lock(mutex_);
  for (auto lease = leases.rbegin(); lease != leases.rend(); ++lease) {
    queue_.push_front(lease->batch);
  }
  ++roll_backs_;
}

std::size_t FakeChannel::roll_backs() const {
  const std::lock_guard lock(mutex_);
  return roll_backs_;
}

void FakeChannel::count_dropped(std::size_t events) {
  const std::lock_guard lock(mutex_);
  counts_.dropped += events;
}

ChannelCounts FakeChannel::counts() const {
  const std::lock_guard lock(mutex_);
  ChannelCounts counts = counts_;
  counts.in_channel = size_;
  return counts;
}

}  // namespace millrace
