// What every channel is bounded by, and answers in the same way.
#pragma once

#include <chrono>
#include <cstdint>
#include <tuple>

#include "config/fields.h"
#include "core/channel.h"
#include "core/component.h"

namespace millrace {

// The keys that the channels share; each has defaults of its own.
struct ChannelLimits {
  std::uint32_t capacity;
  std::uint32_t transaction_capacity;
  std::chrono::seconds keep_alive{3};

  static constexpr auto fields() {
    using C = ChannelLimits;
    return std::tuple{
        field("capacity", &C::capacity, "Most events in the channel.")
            .range(1, 2'147'483'647)
            .lenient(),
        field("transactionCapacity", &C::transaction_capacity,
              "Most events of one put or one take; at most the capacity.")
            .range(1, 2'147'483'647)
            .lenient(),
        field("keep-alive", &C::keep_alive,
              "Seconds that a source which answers its client waits for room.")
            .range(0, 86'400)
            .lenient(),
    };
  }
  void check(ConfigCheck& check) const;
  std::size_t events_per_transaction() const { return transaction_capacity; }
};

// The part of a channel that follows from its limits, and the counts of what was asked of it.
class LimitedChannel : public Channel {
 public:
  std::size_t transaction_capacity() const final { return limits_.transaction_capacity; }
  std::size_t capacity() const final { return limits_.capacity; }
  std::chrono::milliseconds keep_alive() const final { return limits_.keep_alive; }

 protected:
  LimitedChannel(const ChannelLimits& limits, MetricGroup& metrics);

  MetricGroup& metrics_;
  Counter& put_attempts_;   // Events.
  Counter& take_attempts_;  // Calls.

 private:
  const ChannelLimits limits_;
};

}  // namespace millrace
