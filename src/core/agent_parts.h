// The parts of a running agent: one frame for channels, sinks and sources, that starts, retries and
// reports alike. Internal to agent.cc.
#pragma once

#include <fmt/format.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "base/log.h"
#include "core/agent.h"
#include "core/memory_wait.h"
#include "core/sink_runner.h"

namespace millrace {

// Threads: start() and stop() under the agent's control lock; health() on any.
class Agent::Part {
 public:
  // `metrics`: of all components that it is made of.
  Part(std::string name, const std::vector<MetricGroup*>& metrics, const Clock& clock)
      : name_(std::move(name)), clock_(clock) {
    for (MetricGroup* group : metrics) {
      times_.push_back({group->counter("StartTime", MetricKind::kGauge),
                        group->counter("StopTime", MetricKind::kGauge)});
    }
  }
  virtual ~Part() = default;

  const std::string& name() const { return name_; }
  bool running() const {
    const std::lock_guard lock(mutex_);
    return state_ == State::kRunning;
  }
  // A failed start that another try may mend.
  bool wants_retry() const {
    const std::lock_guard lock(mutex_);
    return state_ == State::kFailed && retry_;
  }

  // Says a failure once, and again when it changes.
  Result<> start() {
    if (running()) {
      return {};
    }
    Result<> result = do_start();
    const std::lock_guard lock(mutex_);
    if (result.ok()) {
      log_info(name_, "{}", message_.empty() ? "started" : "started, after it failed before");
      state_ = State::kRunning;
      message_.clear();
      for (const Times& times : times_) {
        times.start.set(now_ms());
        times.stop.set(0);
      }
      return result;
    }
    retry_ = result.error().fault() != Fault::kConfig;
    if (state_ != State::kFailed || message_ != result.error().message()) {
      log_error(name_, "does not start: {}; {}", result.error().message(),
                retry_ ? "tried again every 3 s" : "it stays down, the rest runs");
    }
    state_ = State::kFailed;
    message_ = result.error().message();
    return result;
  }
  void stop(SteadyTime deadline) {
    if (running()) {
      stopping_ = true;
      do_stop(deadline);
      stopping_ = false;
      for (const Times& times : times_) {
        times.stop.set(now_ms());
      }
    }
    const std::lock_guard lock(mutex_);
    state_ = State::kStopped;
  }
  // A stop of it is under way.
  bool stopping() const { return stopping_; }
  // What that waits for.
  virtual std::string awaited() const = 0;

  PartHealth health() const {
    {
      const std::lock_guard lock(mutex_);
      if (state_ != State::kRunning) {
        return {name_, false, state_ == State::kFailed ? message_ : "stopped"};
      }
    }
    const Result<> inner = do_health();
    return inner.ok() ? PartHealth{name_, true, do_remark()}
                      : PartHealth{name_, false, inner.error().message()};
  }
  // Its own, and that of parts inside it.
  virtual void add_health(std::vector<PartHealth>& all) const { all.push_back(health()); }

 protected:
  virtual Result<> do_start() = 0;
  virtual void do_stop(SteadyTime deadline) = 0;
  virtual Result<> do_health() const { return {}; }
  // What there is to say of it while nothing is wrong.
  virtual std::string do_remark() const { return {}; }

 private:
  // As Flume has them: ms since 1970, the second one 0 while the part runs.
  struct Times {
    Counter& start;
    Counter& stop;
  };
  enum class State { kStopped, kRunning, kFailed };

  std::uint64_t now_ms() const { return static_cast<std::uint64_t>(clock_.wall_ms()); }

  const std::string name_;
  const Clock& clock_;
  std::vector<Times> times_;
  std::atomic<bool> stopping_{false};
  mutable std::mutex mutex_;  // Guards what follows.
  State state_ = State::kStopped;
  bool retry_ = false;
  std::string message_;
};

class Agent::ChannelPart final : public Part {
 public:
  ChannelPart(const PlannedChannel& plan, ChannelContext context)
      : Part("channel " + plan.name, {&context.metrics}, context.services.clock),
        short_name_(plan.name),
        channel_(plan.prepared.make(std::move(context))) {}

  const std::string& short_name() const { return short_name_; }
  const std::shared_ptr<Channel>& channel() const { return channel_; }
  // "channel c1 holds 3 events"
  std::string contents() const {
    const ChannelCounts counts = channel_->counts();
    return fmt::format("{} holds {} events", name(), counts.in_channel + counts.held);
  }
  std::string awaited() const override { return "closes its storage; " + contents(); }

  // The agent ends, and its sources and sinks have: what is inside now stays there.
  void say_what_is_left() const {
    const ChannelCounts counts = channel_->counts();
    const std::uint64_t left = counts.in_channel + counts.held;
    if (!running() || left == 0) {
      return;
    }
    if (channel_->durable()) {
      log_info(name(), "{} events are left in it and are there at the next start", left);
    } else {
      log_warning(name(), "{} events are lost: no sink took them from memory before the stop",
                  left);
    }
  }

 private:
  Result<> do_start() override { return channel_->start(); }
  void do_stop(SteadyTime) override { channel_->stop(); }
  Result<> do_health() const override { return channel_->health(); }

  const std::string short_name_;
  const std::shared_ptr<Channel> channel_;
};

// A sink, or the sinks of a group that take turns.
class Agent::SinkPart final : public Part {
 public:
  // `channels`, of each sink, outlive it. `group`: see PartHealth.
  SinkPart(const std::string& name, std::string group, std::vector<const ChannelPart*> channels,
           std::vector<std::unique_ptr<SinkDrain>> sinks, std::unique_ptr<SinkProcessor> processor,
           Clock& clock, std::size_t stage)
      : Part(name, metrics_of(sinks), clock),
        group_(std::move(group)),
        channels_(std::move(channels)),
        stage_(stage),
        runner_(name, std::move(sinks), std::move(processor), clock) {}

  // Those of an earlier one stop before it does.
  std::size_t stage() const { return stage_; }
  std::string awaited() const override {
    std::string text;
    for (const ChannelPart* channel : std::set(channels_.begin(), channels_.end())) {
      text += (text.empty() ? "" : "; ") + channel->contents();
    }
    const Result<> health = do_health();
    return text + (health.ok() ? "" : "; " + health.error().message());
  }
  // A group's sinks follow it.
  void add_health(std::vector<PartHealth>& all) const override {
    Part::add_health(all);
    if (!runner_.is_group()) {
      all.back().group = group_;
      return;
    }
    if (!running()) {
      return;
    }
    for (const std::unique_ptr<SinkDrain>& sink : runner_.sinks()) {
      const Result<> health = sink->health();
      all.push_back({"sink " + sink->name(), health.ok(),
                     health.ok() ? std::string() : health.error().message(), group_});
    }
  }

 private:
  static std::vector<MetricGroup*> metrics_of(
      const std::vector<std::unique_ptr<SinkDrain>>& sinks) {
    std::vector<MetricGroup*> metrics;
    for (const std::unique_ptr<SinkDrain>& sink : sinks) {
      metrics.push_back(&sink->metrics());
    }
    return metrics;
  }
  Result<> do_start() override {
    runner_.start();  // The sinks themselves start on its thread, and are retried there.
    return {};
  }
  void do_stop(SteadyTime deadline) override { runner_.stop(deadline); }
  Result<> do_health() const override { return runner_.health(); }
  std::string do_remark() const override {
    return runner_.is_group() ? runner_.standings() : std::string();
  }

  const std::string group_;
  const std::vector<const ChannelPart*> channels_;
  const std::size_t stage_;
  SinkRunner runner_;
};

class Agent::SourcePart final : public Part {
 public:
  // The channels outlive it.
  SourcePart(const PlannedSource& plan, std::vector<const ChannelPart*> channels,
             Services& services, MetricGroup& metrics)
      : Part("source " + plan.name, {&metrics}, services.clock),
        channels_(std::move(channels)),
        memory_(name(), services.clock, services.slabs.budget()),
        processor_(plan.name, channels_of(channels_), plan.selector.make({plan.channels}),
                   plan.make_interceptors(services), {services.clock, metrics, services.slabs}),
        given_up_(metrics.counter("EventGivenUpCount")),
        source_(plan.prepared.make({plan.name, services, processor_, metrics, memory_})) {}

  std::string awaited() const override {
    std::string text = "hands on what it has read";
    for (const ChannelPart* channel : channels_) {
      text += "; " + channel->contents();
    }
    const Result<> health = do_health();
    return text + (health.ok() ? "" : "; " + health.error().message());
  }

 private:
  static std::vector<std::shared_ptr<Channel>> channels_of(
      const std::vector<const ChannelPart*>& parts) {
    std::vector<std::shared_ptr<Channel>> channels;
    for (const ChannelPart* part : parts) {
      channels.push_back(part->channel());
    }
    return channels;
  }
  Result<> do_start() override { return source_->start(); }
  void do_stop(SteadyTime deadline) override {
    const std::uint64_t before = given_up_.value();
    source_->stop(deadline);
    if (const std::uint64_t events = given_up_.value() - before; events > 0) {
      log_warning(name(),
                  "{} events found no room in a channel before the stop: clients that get "
                  "answers were told so, of others they are lost",
                  events);
    }
  }
  Result<> do_health() const override {
    TRY(source_->health());
    return memory_.health();
  }

  const std::vector<const ChannelPart*> channels_;
  MemoryWait memory_;
  ChannelProcessor processor_;
  Counter& given_up_;
  std::unique_ptr<Source> source_;
};

}  // namespace millrace
