#include "core/sink_runner.h"

#include <pthread.h>

#include <algorithm>
#include <mutex>

#include "base/log.h"
#include "base/stoppable_condition.h"
#include "core/take_transaction.h"

namespace millrace {
namespace {

// Bytes that one flush and one commit cover, when so much waits.
constexpr std::size_t kGroupBytes = std::size_t{1} << 20;
constexpr std::size_t kCostlyGroupBytes = std::size_t{16} << 20;
constexpr int kMostBackOffs = 5;
constexpr auto kBusy = std::chrono::milliseconds(1);
constexpr auto kLinger = std::chrono::microseconds(500);
constexpr std::size_t kRoomFactor = 16;
constexpr auto kHoldFor = std::chrono::seconds(5);

}  // namespace

SinkRunner::SinkRunner(std::string name, std::shared_ptr<Channel> channel,
                       std::unique_ptr<Sink> sink, MetricGroup& metrics, Clock& clock,
                       Options options)
    : name_("sink " + std::move(name)),
      channel_(std::move(channel)),
      sink_(std::move(sink)),
      clock_(clock),
      back_off_(options.back_off),
      rejected_(name_, *channel_, metrics, clock,
                {options.on_rejected, std::move(options.dead_letter), options.back_off}),
      group_bytes_(most_group_bytes()),
      jitter_(std::random_device{}()),
      attempts_(metrics.counter("EventDrainAttemptCount")),
      successes_(metrics.counter("EventDrainSuccessCount")),
      empty_(metrics.counter("BatchEmptyCount")),
      underflow_(metrics.counter("BatchUnderflowCount")),
      complete_(metrics.counter("BatchCompleteCount")),
      write_fail_(metrics.counter("EventWriteFail")) {}

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
  thread_.join();
}

void SinkRunner::run(std::stop_token stop) {
  while (!stop.stop_requested()) {
    const Result<Drained> outcome = drain_once(clock_.steady() + kIdleTick, stop);
    note(outcome);
    if (!outcome.ok()) {
      back_off(stop);
    } else if (*outcome == Drained::kSome) {
      linger();
    }
  }
  drain(drain_until_);
  sink_->stop();
  rejected_.stop();
  started_ = false;
}

void SinkRunner::drain(SteadyTime until) {
  while (clock_.steady() < until) {
    const Result<Drained> outcome = drain_once(clock_.steady(), {});
    note(outcome);
    if (!outcome.ok()) {
      if (channel_->durable() || channel_->counts().in_channel == 0) {
        return;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    } else if (*outcome == Drained::kNothing && channel_->counts().in_channel == 0) {
      return;
    } else if (*outcome == Drained::kNothing) {
      // Leased to another sink of the channel, which may still roll back.
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
}

Result<SinkRunner::Drained> SinkRunner::drain_once(SteadyTime first_take_until,
                                                   const std::stop_token& stop) {
  TRY(ensure_started());
  TRY(sink_->idle());
  rejected_.idle();
  const TakeLimit limit{std::min(sink_->batch_size(), channel_->transaction_capacity()),
                        most_group_bytes()};
  TakeTransaction transaction(*channel_);  // Rolls back in its destructor unless committed.
  Rejects rejects;
  SteadyTime take_until = first_take_until;
  while (const EventBatch* batch = transaction.take(limit, take_until, stop)) {
    rejects.start_lease(transaction.batches() - 1);
    attempts_.add(batch->size());
    TRY(sink_->deliver(*batch, rejects));
    if (transaction.bytes() >= group_bytes_) {
      break;
    }
    take_until = {};  // What waits goes along; nothing is waited for.
  }
  if (transaction.empty()) {
    empty_.add();
    return Drained::kNothing;
  }
  TRY(sink_->flush());  // Durable at the destination, or an Error.
  // Durable too, before the channel forgets; what no dead letter takes is held.
  const std::vector<HeldEvent> held = rejected_.set_aside(rejects, transaction);
  last_events_ = transaction.events();
  last_bytes_ = transaction.bytes();
  count(transaction.events() - rejects.all().size(), transaction.batches());
  transaction.commit(held, clock_.steady() + kHoldFor);
  if (last_bytes_ >= group_bytes_) {
    group_bytes_ = std::min(2 * last_bytes_, most_group_bytes());
  }
  return Drained::kSome;
}

std::size_t SinkRunner::most_group_bytes() const {
  return sink_->flush_is_costly() ? kCostlyGroupBytes : kGroupBytes;
}

// Small transactions that follow each other faster than one a millisecond: a moment's wait makes
// one of many, and spares the source a wake-up for each. The first event of a quiet flow is not
// delayed, and a channel with little room is not kept waiting.
void SinkRunner::linger() {
  const SteadyTime now = clock_.steady();
  const bool is_busy = now - last_end_ < kBusy;
  last_end_ = now;
  if (is_busy && last_bytes_ < kGroupBytes && last_events_ * kRoomFactor < channel_->capacity()) {
    std::this_thread::sleep_for(kLinger);
  }
}

Result<> SinkRunner::ensure_started() {
  if (!started_) {
    TRY(sink_->start());
    started_ = true;
  }
  return {};
}

void SinkRunner::count(std::size_t events, std::size_t batches) {
  successes_.add(events);
  const std::size_t full = events / std::max<std::size_t>(sink_->batch_size(), 1);
  complete_.add(std::min(full, batches));
  underflow_.add(batches - std::min(full, batches));
}

// A failure is logged when it begins and when it changes, its end once. What was too much for the
// destination comes again batch by batch; what works is doubled.
void SinkRunner::note(const Result<Drained>& outcome) {
  const std::lock_guard lock(health_mutex_);
  if (outcome.ok()) {
    if (failures_ > 0) {
      log_info(name_, "delivers again after {} failed attempts", failures_);
      failures_ = 0;
      trouble_.clear();
    }
    return;
  }
  ++failures_;
  write_fail_.add();
  group_bytes_ = 1;
  if (outcome.error().message() != trouble_) {
    trouble_ = outcome.error().message();
    log_error(name_, "{}; rolled back, tried again until it works", trouble_);
  }
}

void SinkRunner::back_off(const std::stop_token& stop) {
  std::uniform_int_distribution<int> spread(80, 100);  // Per cent.
  const auto wait = back_off_ * std::min(failures_, kMostBackOffs) * spread(jitter_) / 100;
  rest(stop, wait);
}

Result<> SinkRunner::health() const {
  const std::lock_guard lock(health_mutex_);
  if (!trouble_.empty()) {
    return transient(trouble_);
  }
  return rejected_.health();
}

}  // namespace millrace
