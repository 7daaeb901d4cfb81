// The memory channel: a bounded queue of batches (Flume 1.11,
// org.apache.flume.channel.MemoryChannel).
#pragma once

#include <deque>
#include <mutex>
#include <utility>
#include <vector>

#include "base/stoppable_condition.h"
#include "channel/limits.h"
#include "channel/memory_room.h"
#include "core/component.h"
#include "core/registry.h"

namespace millrace {

struct MemoryChannelConfig : ChannelLimits {
  std::optional<ByteCount> byte_capacity;
  std::uint32_t byte_capacity_buffer_percentage = 20;
  std::uint32_t slot_bytes = 100;  // No key: what byteCapacity is counted in.

  MemoryChannelConfig() : ChannelLimits{.capacity = 100, .transaction_capacity = 100} {}
  static constexpr auto fields() {
    using C = MemoryChannelConfig;
    return std::tuple_cat(
        ChannelLimits::fields(),
        std::tuple{
            field("byteCapacity", &C::byte_capacity,
                  "Most bytes of bodies in the channel; 0 for no limit of its own. By default the "
                  "channel's share of the memory budget.")
                .lenient(),
            field("byteCapacityBufferPercentage", &C::byte_capacity_buffer_percentage,
                  "Part of byteCapacity that is kept free for headers.")
                .range(0, 100)
                .lenient(),
        });
  }
};

// Holds what one process has in flight: a kill loses it, an orderly stop drains it.
//
// Capacity is counted as Flume does: see MemoryRoom.
class MemoryChannel : public LimitedChannel {
 public:
  using Config = MemoryChannelConfig;
  MemoryChannel(Config config, ChannelContext context);
  ~MemoryChannel() override;

  Result<> start() override;
  void stop() override;
  PutStatus put(const BatchPtr& batch, PutDone& done) override;
  void when_room(std::function<void()> wake) override;
  std::optional<Lease> take(const TakeLimit& limit, SteadyTime deadline,
                            std::stop_token stop) override;
  void commit(std::span<const Lease> leases, std::span<const HeldEvent> held,
              SteadyTime held_until) override;
  void roll_back(std::span<const Lease> leases) override;
  void count_dropped(std::size_t events) override;

  ChannelCounts counts() const override;
  bool durable() const override { return false; }
  std::string promise() const override;
  Result<> health() const override { return {}; }

 private:
  // A batch that waits, or what is left of one; `from` is its first event.
  struct Waiting {
    BatchPtr batch;
    std::size_t from = 0;
    SteadyTime not_before{};  // For held ones.
  };

  bool has_room(std::size_t events, std::uint64_t slots) const;
  std::optional<Lease> take_waiting(const TakeLimit& limit);
  Lease cut(Waiting& waiting, const TakeLimit& limit) const;
  bool has_room_for_many() const;
  std::vector<std::function<void()>> wakes_due();

  SlabPool& slabs_;
  mutable std::mutex mutex_;  // Guards what follows; no other lock is taken under it.
  StoppableCondition arrived_;
  std::size_t takers_asleep_ = 0;
  std::deque<Waiting> queue_;
  std::deque<Waiting> held_;
  std::vector<std::function<void()>> room_wanted_;
  bool open_ = false;
  MemoryRoom room_;  // Used by events that wait, are leased or held.
  std::uint64_t used_at_refusal_ = 0;
  std::size_t least_refused_events_ = SIZE_MAX;  // Of the puts that wait for room.
  std::uint64_t least_refused_slots_ = UINT64_MAX;
  std::uint64_t put_ = 0;
  std::uint64_t committed_ = 0;
  std::uint64_t dropped_ = 0;
  std::size_t held_events_ = 0;
  std::uint64_t held_slots_ = 0;
};

}  // namespace millrace
