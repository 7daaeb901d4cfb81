// The spillable memory channel: memory first, the file channel's log beyond it, one order.
#pragma once

#include <memory>
#include <optional>

#include "channel/file/file_channel.h"
#include "channel/memory.h"
#include "channel/spillable/config.h"
#include "channel/spillable/spill_gate.h"
#include "core/component.h"

namespace millrace {

// Both parts number their events together, so that they leave in the order in which they came,
// wherever they are. What is in memory is never written while the channel runs. With
// overflowCapacity 0 it is a memory channel, with memoryCapacity 0 a file channel.
//
// Durability: an event in the log is durable when its put is answered; one in memory is lost by a
// kill. An orderly stop writes what is left in memory to the log: it comes in its turn after the
// next start.
// Repeats: as the file channel's, for events in the log.
// Threads: as Channel says; those of the file channel are its own. A timer runs on the loop.
class SpillableMemoryChannel final : public LimitedChannel {
 public:
  using Config = SpillableMemoryConfig;
  SpillableMemoryChannel(const Config& config, const ChannelContext& context);
  ~SpillableMemoryChannel() override;

  Result<> start() override;
  void stop() override;
  PutStatus put(const BatchPtr& batch, PutDone& done) override;
  void when_room(std::function<void()> wake) override;
  std::optional<Lease> take(const TakeLimit& limit, SteadyTime deadline,
                            std::stop_token stop) override {
    return inner_->take(limit, deadline, std::move(stop));
  }
  void commit(std::span<const Lease> leases, std::span<const HeldEvent> held,
              SteadyTime held_until) override;
  void roll_back(std::span<const Lease> leases) override { inner_->roll_back(leases); }
  void count_dropped(std::size_t events) override { inner_->count_dropped(events); }

  ChannelCounts counts() const override { return inner_->counts(); }
  // What sinks take may come from the log, and a stop keeps all of it.
  bool durable() const override { return inner_->durable(); }
  std::string promise() const override;
  Result<> health() const override { return inner_->health(); }

 private:
  struct Share {
    std::uint64_t events = 0;
    std::uint64_t slots = 0;
  };
  Share of_memory(std::span<const Lease> leases, std::span<const HeldEvent> held) const;
  PutStatus put_into_log(const BatchPtr& batch, PutDone& done);

  const Config config_;
  EventLoop& loop_;
  const std::shared_ptr<SpillGate> gate_;  // Timers refer to it weakly.
  std::unique_ptr<Channel> inner_;
  FileChannel* log_ = nullptr;  // inner_, when it has a log.
};

}  // namespace millrace
