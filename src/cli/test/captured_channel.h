// Stands for a channel in a unit test of a configuration.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "core/channel.h"

namespace millrace {

// Takes every batch, at once and whole, and keeps it. Nothing comes out of it. Threads: one.
class CapturedChannel final : public Channel {
 public:
  std::vector<EventRef> events() const {
    std::vector<EventRef> all;
    for (const BatchPtr& batch : batches_) {
      all.insert(all.end(), batch->begin(), batch->end());
    }
    return all;
  }

  Result<> start() override { return {}; }
  void stop() override {}
  PutStatus put(const BatchPtr& batch, PutDone& done) override {
    batches_.push_back(batch);
    const PutDone answer = std::move(done);
    answer({});
    return PutStatus::kAccepted;
  }
  void when_room(std::function<void()> wake) override { wake(); }
  std::optional<Lease> take(const TakeLimit&, SteadyTime, std::stop_token) override { return {}; }
  void commit(std::span<const Lease>, std::span<const HeldEvent>, SteadyTime) override {}
  void roll_back(std::span<const Lease>) override {}
  void count_dropped(std::size_t) override {}
  std::size_t transaction_capacity() const override { return capacity(); }
  std::size_t capacity() const override { return std::numeric_limits<std::size_t>::max(); }
  ChannelCounts counts() const override { return {}; }
  std::chrono::milliseconds keep_alive() const override { return {}; }
  bool durable() const override { return false; }
  std::string promise() const override { return "kept for the test"; }
  Result<> health() const override { return {}; }

 private:
  std::vector<BatchPtr> batches_;
};

}  // namespace millrace
