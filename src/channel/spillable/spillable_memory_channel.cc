#include "channel/spillable/spillable_memory_channel.h"

#include <fmt/core.h>

#include <utility>

#include "core/channel_metrics.h"
#include "core/registry.h"
#include "io/event_loop.h"

namespace millrace {

SpillableMemoryChannel::SpillableMemoryChannel(const Config& config, const ChannelContext& context)
    : LimitedChannel(config.limits(), context.metrics),
      config_(config),
      loop_(context.services.loop),
      gate_(std::make_shared<SpillGate>(config.memory_limits(context.memory_share / 2),
                                        config.overflow_timeout.count() > 0,
                                        config.overflow_deactivation_threshold / 100.0)) {
  if (config.log_capacity() > 0) {
    ChannelContext half = context;
    half.memory_share /= 2;
    auto log = std::make_unique<FileChannel>(config.log(), half);
    log_ = log.get();
    inner_ = std::move(log);
  } else {
    inner_ = std::make_unique<MemoryChannel>(config.memory(context.memory_share), context);
  }
  declare_channel_metrics(metrics_, *this);  // In place of those that the inner one declared.
}

SpillableMemoryChannel::~SpillableMemoryChannel() {
  stop();
  metrics_.drop_computed();
}

Result<> SpillableMemoryChannel::start() {
  TRY(inner_->start());
  gate_->start();
  return {};
}

void SpillableMemoryChannel::stop() {
  SpillGate::run(gate_->stop());
  inner_->stop();
}

PutStatus SpillableMemoryChannel::put(const BatchPtr& batch, PutDone& done) {
  if (log_ == nullptr) {
    return inner_->put(batch, done);
  }
  switch (gate_->choose(*batch)) {
    case SpillGate::Way::kLog:
      return put_into_log(batch, done);
    case SpillGate::Way::kWait:
      put_attempts_.add(batch->size());
      return PutStatus::kFull;
    case SpillGate::Way::kMemory:
      break;
  }
  if (!log_->keep_in_memory(batch)) {
    gate_->take_back(*batch);
    return PutStatus::kClosed;
  }
  const PutDone committed = std::move(done);
  committed({});
  return PutStatus::kAccepted;
}

PutStatus SpillableMemoryChannel::put_into_log(const BatchPtr& batch, PutDone& done) {
  const PutStatus status = log_->put(batch, done);
  if (status == PutStatus::kFull) {
    gate_->refused_by_log();
  }
  return status;
}

void SpillableMemoryChannel::when_room(std::function<void()> wake) {
  if (log_ == nullptr) {
    inner_->when_room(std::move(wake));
    return;
  }
  const SpillGate::Asked asked = gate_->ask(std::move(wake));
  if (asked.time_me) {
    loop_.post_after(config_.overflow_timeout, [weak = std::weak_ptr(gate_)] {
      if (const auto gate = weak.lock()) {
        SpillGate::run(gate->waited_enough());
      }
    });
  }
  if (asked.ask_log) {
    log_->when_room([gate = gate_] { SpillGate::run(gate->log_has_room()); });
  }
  SpillGate::run(asked.wakes);
}

void SpillableMemoryChannel::commit(std::span<const Lease> leases, std::span<const HeldEvent> held,
                                    SteadyTime held_until) {
  const Share left = log_ != nullptr ? of_memory(leases, held) : Share{};
  inner_->commit(leases, held, held_until);
  if (left.events > 0) {
    SpillGate::run(gate_->give_back(left.events, left.slots));
  }
}

// What of the leases leaves memory: all but the held ones.
SpillableMemoryChannel::Share SpillableMemoryChannel::of_memory(
    std::span<const Lease> leases, std::span<const HeldEvent> held) const {
  const MemoryRoom& arithmetic = gate_->arithmetic();
  Share left;
  std::vector<bool> is_in_memory;
  for (const Lease& lease : leases) {
    is_in_memory.push_back(log_->is_in_memory_alone(lease));
    if (is_in_memory.back()) {
      left.events += lease.batch->size();
      left.slots += arithmetic.slots_of(*lease.batch);
    }
  }
  for (const HeldEvent& event : held) {
    if (is_in_memory[event.lease]) {
      left.events -= 1;
      left.slots -= arithmetic.slots_of((*leases[event.lease].batch)[event.event]);
    }
  }
  return left;
}

std::string SpillableMemoryChannel::promise() const {
  if (log_ == nullptr || config_.memory_capacity == 0) {
    return "spillable " + inner_->promise();
  }
  return fmt::format(
      "spillable memory: up to {} events, committed = in this process: a kill or a crash loses "
      "them, a stop writes them to the log; beyond, {}",
      config_.memory_capacity, log_->promise());
}

const RegisterChannel<SpillableMemoryChannel> entry{
    "SPILLABLEMEMORY", "org.apache.flume.channel.SpillableMemoryChannel",
    "Holds events in memory, and in a log on disk what memory does not hold."};

}  // namespace millrace
