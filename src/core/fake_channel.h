// A channel for tests: room and commits as the test says.
#pragma once

#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/channel.h"

namespace millrace {

// Threads: any.
class FakeChannel final : public Channel {
 public:
  explicit FakeChannel(std::size_t capacity = 1'000'000, std::size_t transaction_capacity = 1000)
      : capacity_(capacity), transaction_capacity_(transaction_capacity) {}

  // Puts are accepted, and answered only by answer().
  void defer_answers() { deferred_ = true; }
  // Answers the oldest unanswered put.
  void answer(Result<> result);
  std::size_t unanswered() const;
  void set_closed(bool is_closed) { closed_ = is_closed; }
  void set_durable(bool is_durable) { durable_ = is_durable; }
  // Forgets everything inside and wakes who waits for room.
  void make_room();
  // Bodies of all events inside, in order.
  std::vector<std::string> bodies() const;
  std::vector<std::size_t> batch_sizes() const;
  std::size_t roll_backs() const;

  Result<> start() override { return {}; }
  void stop() override {}
  PutStatus put(const BatchPtr& batch, PutDone& done) override;
  void when_room(std::function<void()> wake) override;
  std::optional<Lease> take(const TakeLimit& limit, SteadyTime deadline,
                            std::stop_token stop) override;
  void commit(std::span<const Lease> leases, std::span<const HeldEvent> held,
              SteadyTime held_until) override;
  // Fails at commits with an intent as at a stop: the outcome is not known.
  void leave_open(std::optional<bool> is_committed) { left_open_ = is_committed; }
  bool keeps_intents() const override { return true; }
  Result<> commit_with_intent(std::span<const Lease> leases, std::span<const HeldEvent> held,
                              SteadyTime held_until, const SinkIntent& intent,
                              std::stop_token stop) override;
  std::string intent_of(std::string_view sink) const override;
  void roll_back(std::span<const Lease> leases) override;
  void count_dropped(std::size_t events) override;
  std::size_t transaction_capacity() const override { return transaction_capacity_; }
  std::size_t capacity() const override { return capacity_; }
  ChannelCounts counts() const override;
  std::chrono::milliseconds keep_alive() const override { return std::chrono::milliseconds(20); }
  bool durable() const override { return durable_; }
  std::string promise() const override { return "fake"; }
  Result<> health() const override { return {}; }

 private:
  const std::size_t capacity_;
  const std::size_t transaction_capacity_;
  bool deferred_ = false;
  bool closed_ = false;
  bool durable_ = true;
  mutable std::mutex mutex_;  // Guards what follows.
  std::size_t roll_backs_ = 0;
  std::deque<BatchPtr> queue_;
  std::size_t size_ = 0;
  std::deque<PutDone> answers_;
  std::vector<std::function<void()>> wakes_;
  ChannelCounts counts_;
  std::map<std::string, std::string, std::less<>> intents_;
  std::optional<bool> left_open_;
};

}  // namespace millrace
