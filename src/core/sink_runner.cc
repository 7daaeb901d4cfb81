#include "core/sink_runner.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "base/stoppable_condition.h"

namespace millrace {
namespace {

constexpr int kMostBackOffs = 5;
constexpr auto kBusy = std::chrono::milliseconds(1);
constexpr auto kLinger = std::chrono::microseconds(500);
constexpr std::size_t kRoomFactor = 16;

}  // namespace

SinkRunner::SinkRunner(std::string name, std::vector<std::unique_ptr<SinkDrain>> sinks,
                       std::unique_ptr<SinkProcessor> processor, Clock& clock,
                       std::chrono::milliseconds back_off)
    : name_(std::move(name)),
      sinks_(std::move(sinks)),
      clock_(clock),
      back_off_(back_off),
      jitter_(std::random_device{}()),
      processor_(std::move(processor)) {
  if (!is_group()) {
    return;
  }
  for (const std::unique_ptr<SinkDrain>& sink : sinks_) {
    MetricGroup& metrics = sink->metrics();
    gauges_.push_back({metrics.counter("GroupActive", MetricKind::kGauge),
                       metrics.counter("GroupFailures", MetricKind::kGauge),
                       metrics.counter("GroupRestsUntil", MetricKind::kGauge)});
  }
}

SinkRunner::~SinkRunner() {
  stop(clock_.steady());
}

void SinkRunner::start() {
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  pthread_setname_np(thread_.native_handle(), name_.substr(5, 15).c_str());
}

void SinkRunner::stop(SteadyTime drain_until) {
  if (!thread_.joinable()) {
    return;
  }
  drain_until_ = drain_until;
  thread_.request_stop();
  const std::jthread timer([this](const std::stop_token& done) {
    const SteadyTime::duration wait = drain_until_ - clock_.steady();
    if (wait.count() <= 0 || rest(done, wait)) {
      late_.request_stop();
    }
  });
  thread_.join();
}

void SinkRunner::run(const std::stop_token& stop) {
  if (is_group()) {
    start_sinks();
  }
  while (!stop.stop_requested()) {
    Result<Drained> outcome = attempt(clock_.steady() + kIdleTick, stop);
    if (!outcome.ok()) {
      back_off(stop);
    } else if (outcome->events > 0) {
      linger(*outcome);
    }
  }
  drain(drain_until_);
  for (const std::unique_ptr<SinkDrain>& sink : sinks_) {
    sink->stop(late_.get_token());
  }
}

// A sink that only stands by is tried too: that it would not work is told now.
void SinkRunner::start_sinks() {
  for (std::size_t i = 0; i < sinks_.size(); ++i) {
    if (!sinks_[i]->start().ok()) {
      note(i, Turn::kFailed);
    }
  }
  const std::lock_guard lock(mutex_);
  show_standings(clock_.steady());
}

void SinkRunner::drain(SteadyTime until) {
  is_draining_ = true;
  const auto is_durable = [](const auto& sink) { return sink->channel().durable(); };
  const bool all_durable = std::all_of(sinks_.begin(), sinks_.end(), is_durable);
  std::size_t empty_turns = 0;
  while (clock_.steady() < until) {
    Result<Drained> outcome = attempt(clock_.steady(), {});
    empty_turns = outcome.ok() && outcome->events == 0 ? empty_turns + 1 : 0;
    if (!outcome.ok()) {
      if (all_durable || everything_is_out(sinks_.size())) {
        return;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    } else if (everything_is_out(empty_turns)) {
      return;
    } else if (empty_turns > 0) {
      // Leased to another sink of the channel, which may still roll back.
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
}

// Sinks of a group may have channels of their own: each has had its turn.
bool SinkRunner::everything_is_out(std::size_t empty_turns) const {
  return empty_turns >= sinks_.size() && sinks_[last_]->channel().counts().in_channel == 0;
}

Result<Drained> SinkRunner::attempt(SteadyTime first_take_until, const std::stop_token& stop) {
  Result<Drained> outcome = transient("every sink of the group rests after a failure");
  const std::vector<std::size_t> order = next_order();
  for (const std::size_t sink : order) {
    last_ = sink;
    outcome = sinks_[sink]->drain_once(first_take_until, stop, late_.get_token());
    if (outcome.ok()) {
      note(sink, outcome->events > 0 ? Turn::kDelivered : Turn::kNothing);
      break;
    }
    note(sink, Turn::kFailed);
  }
  note(outcome);
  if (is_group()) {
    idle_others(order);
  }
  return outcome;
}

// A rest may end too late for what is in memory: a stop does not wait for it.
std::vector<std::size_t> SinkRunner::next_order() {
  const std::lock_guard lock(mutex_);
  std::vector<std::size_t> order = processor_->order(clock_.steady());
  return order.empty() && is_draining_ ? processor_->order(SteadyTime::max()) : order;
}

void SinkRunner::note(std::size_t sink, Turn turn) {
  const std::lock_guard lock(mutex_);
  const SteadyTime now = clock_.steady();
  processor_->note(sink, turn, now);
  if (is_group() && (turn == Turn::kFailed || !all_stand_well_)) {
    show_standings(now);
  }
}

void SinkRunner::note(const Result<Drained>& outcome) {
  failures_ = outcome.ok() ? 0 : failures_ + 1;
  const std::lock_guard lock(mutex_);
  if (!outcome.ok()) {
    trouble_ = outcome.error().message();
  } else if (!trouble_.empty()) {
    trouble_.clear();
  }
}

// A change of who delivers is logged.
void SinkRunner::show_standings(SteadyTime now) {
  all_stand_well_ = true;
  first_rest_ends_ = SteadyTime::max();
  std::vector<bool> active;
  for (std::size_t i = 0; i < sinks_.size(); ++i) {
    const SinkStanding standing = processor_->standing(i, now);
    const bool rests = standing.rests_until > now;
    active.push_back(standing.is_active);
    all_stand_well_ = all_stand_well_ && standing.failures == 0;
    gauges_[i].active.set(standing.is_active ? 1 : 0);
    gauges_[i].failures.set(static_cast<std::uint64_t>(standing.failures));
    gauges_[i].rests_until.set(
        rests ? static_cast<std::uint64_t>(wall_ms_at(standing.rests_until, now)) : 0);
    if (rests) {
      first_rest_ends_ = std::min(first_rest_ends_, standing.rests_until);
    }
  }
  if (active != active_) {
    active_ = std::move(active);
    log_line(all_stand_well_ ? LogLevel::kInfo : LogLevel::kWarning, name_, standings_at(now));
  }
}

std::int64_t SinkRunner::wall_ms_at(SteadyTime time, SteadyTime now) const {
  return clock_.wall_ms() +
         std::chrono::duration_cast<std::chrono::milliseconds>(time - now).count();
}

std::string SinkRunner::standings() const {
  const std::lock_guard lock(mutex_);
  return standings_at(clock_.steady());
}

std::string SinkRunner::standings_at(SteadyTime now) const {
  std::vector<std::string> active;
  std::string others;
  for (std::size_t i = 0; i < sinks_.size(); ++i) {
    const SinkStanding standing = processor_->standing(i, now);
    const std::string& name = sinks_[i]->name();
    if (standing.rests_until > now) {
      const std::time_t until = wall_ms_at(standing.rests_until, now) / 1000;
      others +=
          fmt::format("; {} rests until {:%Y-%m-%dT%H:%M:%SZ} after {} failure{}", name,
                      fmt::gmtime(until), standing.failures, standing.failures == 1 ? "" : "s");
    } else if (standing.is_active) {
      active.push_back(name);
    } else {
      others +=
          fmt::format("; {} {}", name, standing.failures > 0 ? "is tried again" : "stands by");
    }
  }
  const std::string_view verb = active.size() == 1 ? "delivers" : "deliver";
  return active.empty() ? "no sink delivers" + others
                        : fmt::format("{} {}{}", fmt::join(active, ", "), verb, others);
}

// Those that had no turn still have work by the clock, such as to close a file.
void SinkRunner::idle_others(const std::vector<std::size_t>& tried) {
  const SteadyTime now = clock_.steady();
  if (now - last_idle_ < kIdleTick) {
    return;
  }
  last_idle_ = now;
  for (std::size_t i = 0; i < sinks_.size(); ++i) {
    const bool had_a_turn = i == last_ && !tried.empty();
    if (!had_a_turn) {
      sinks_[i]->idle();
    }
  }
}

// Small transactions that follow each other faster than one a millisecond: a moment's wait makes
// one of many, and spares the source a wake-up for each. The first event of a quiet flow is not
// delayed, and a channel with little room is not kept waiting.
void SinkRunner::linger(const Drained& drained) {
  const SteadyTime now = clock_.steady();
  const bool is_busy = now - last_end_ < kBusy;
  last_end_ = now;
  if (is_busy && drained.bytes < SinkDrain::kGroupBytes &&
      drained.events * kRoomFactor < sinks_[last_]->channel().capacity()) {
    std::this_thread::sleep_for(kLinger);
  }
}

// When all rest, no longer than until the first of them may be tried.
void SinkRunner::back_off(const std::stop_token& stop) {
  std::uniform_int_distribution<int> spread(80, 100);  // Per cent.
  SteadyTime::duration wait =
      back_off_ * std::min(failures_, kMostBackOffs) * spread(jitter_) / 100;
  {
    const std::lock_guard lock(mutex_);
    const SteadyTime now = clock_.steady();
    if (is_group() && first_rest_ends_ > now && first_rest_ends_ != SteadyTime::max()) {
      wait = std::min(wait, first_rest_ends_ - now);
    }
  }
  rest(stop, wait);
}

std::unique_ptr<SinkRunner> runner_of(std::unique_ptr<SinkDrain> sink, Clock& clock,
                                      std::chrono::milliseconds back_off) {
  const std::string name = sink->name();
  std::vector<std::unique_ptr<SinkDrain>> sinks;
  sinks.push_back(std::move(sink));
  return std::make_unique<SinkRunner>("sink " + name, std::move(sinks),
                                      std::make_unique<DefaultSinkProcessor>(name), clock,
                                      back_off);
}

Result<> SinkRunner::health() const {
  if (!is_group()) {
    return sinks_.front()->health();
  }
  const std::lock_guard lock(mutex_);
  return trouble_.empty() ? Result<>() : Result<>(transient(trouble_));
}

}  // namespace millrace
