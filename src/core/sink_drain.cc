#include "core/sink_drain.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/log.h"
#include "core/take_transaction.h"

namespace millrace {
namespace {

constexpr std::size_t kCostlyGroupBytes = std::size_t{16} << 20;
constexpr auto kHoldFor = std::chrono::seconds(5);
constexpr auto kBetweenChanges = std::chrono::seconds(10);  // Each may name another file.

}  // namespace

SinkDrain::SinkDrain(std::string name, std::shared_ptr<Channel> channel, std::unique_ptr<Sink> sink,
                     MetricGroup& metrics, Clock& clock, Options options)
    : name_(std::move(name)),
      log_name_("sink " + name_),
      channel_(std::move(channel)),
      sink_(std::move(sink)),
      once_(sink_->exactly_once()),
      metrics_(metrics),
      clock_(clock),
      rejected_(log_name_, *channel_, metrics, clock,
                {options.on_rejected, std::move(options.dead_letter), options.dead_letter_rest}),
      group_bytes_(most_group_bytes()),
      attempts_(metrics.counter("EventDrainAttemptCount")),
      successes_(metrics.counter("EventDrainSuccessCount")),
      empty_(metrics.counter("BatchEmptyCount")),
      underflow_(metrics.counter("BatchUnderflowCount")),
      complete_(metrics.counter("BatchCompleteCount")),
      write_fail_(metrics.counter("EventWriteFail")) {}

Result<> SinkDrain::start() {
  Result<> started = ensure_started();
  if (!started.ok()) {
    note(started);
  }
  return started;
}

Result<Drained> SinkDrain::drain_once(SteadyTime first_take_until, const std::stop_token& stop,
                                      const std::stop_token& late) {
  had_events_ = false;
  Result<Drained> drained = try_once(first_take_until, stop, late);
  if (!drained.ok()) {
    note(drained.error());
    failed_at_events_ = had_events_;
  } else if (had_events_ || !failed_at_events_) {
    note({});
    failed_at_events_ = false;
  }
  return drained;
}

Result<Drained> SinkDrain::try_once(SteadyTime first_take_until, const std::stop_token& stop,
                                    const std::stop_token& late) {
  TRY(ensure_started());
  TRY(publish());
  TRY(sink_->idle());
  rejected_.idle();
  const TakeLimit limit{std::min(sink_->batch_size(), channel_->transaction_capacity()),
                        most_group_bytes()};
  TakeTransaction transaction(*channel_);  // Rolls back in its destructor unless committed.
  Rejects rejects;
  SteadyTime take_until = first_take_until;
  while (const EventBatch* batch = transaction.take(limit, take_until, stop)) {
    had_events_ = true;
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
    if (once_ != nullptr && once_->is_due()) {
      const std::string intent = TRY(once_->prepare(false));
      TRY(commit(transaction, {}, intent, late));
    }
    return Drained{};
  }
  const std::string intent = TRY(make_durable());
  // Durable too, before the channel forgets; what no dead letter takes is held.
  const std::vector<HeldEvent> held = rejected_.set_aside(rejects, transaction);
  const Drained drained{transaction.events(), transaction.bytes()};
  count(drained.events - rejects.all().size(), transaction.batches());
  TRY(commit(transaction, held, intent, late));
  if (drained.bytes >= group_bytes_) {
    group_bytes_ = std::min(2 * drained.bytes, most_group_bytes());
  }
  return drained;
}

// Durable at the destination, or an Error; gives what is to become visible with the commit.
Result<std::string> SinkDrain::make_durable() {
  if (once_ != nullptr) {
    return once_->prepare(false);
  }
  TRY(sink_->flush());
  return std::string();
}

Result<> SinkDrain::commit(TakeTransaction& transaction, const std::vector<HeldEvent>& held,
                           std::string_view intent, std::stop_token late) {
  const SteadyTime held_until = clock_.steady() + kHoldFor;
  if (once_ == nullptr) {
    transaction.commit(held, held_until);
    return {};
  }
  is_over_ = true;  // Until the outcome is known.
  TRY(transaction.commit_with_intent(held, held_until, {name_, intent}, std::move(late)));
  is_over_ = false;
  is_unpublished_ = true;
  return publish();
}

Result<> SinkDrain::publish() {
  if (is_unpublished_) {
    TRY(once_->publish());
    is_unpublished_ = false;
  }
  return {};
}

std::size_t SinkDrain::most_group_bytes() const {
  return sink_->flush_is_costly() ? kCostlyGroupBytes : kGroupBytes;
}

Result<> SinkDrain::ensure_started() {
  if (is_over_) {
    return closed("stopped while a commit was not durable yet; the next start finishes it");
  }
  if (!started_) {
    TRY(sink_->start());
    if (once_ != nullptr) {
      TRY(once_->recover(channel_->intent_of(name_)));
      is_unpublished_ = false;
    }
    started_ = true;
  }
  return {};
}

void SinkDrain::idle() {
  if (!started_) {
    return;
  }
  if (const Result<> done = sink_->idle(); !done.ok()) {
    note(done);
  }
  rejected_.idle();
}

void SinkDrain::stop(std::stop_token late) {
  if (once_ != nullptr && started_ && !is_over_) {
    if (const Result<> ended = end_exactly_once(std::move(late)); !ended.ok()) {
      log_warning(log_name_, "{}; the next start finishes what is committed",
                  ended.error().message());
    }
  }
  sink_->stop();
  rejected_.stop();
  started_ = false;
}

// What is open becomes visible too, unless the channel cannot write.
Result<> SinkDrain::end_exactly_once(std::stop_token late) {
  TRY(publish());
  TakeTransaction nothing(*channel_);
  do {
    const std::string intent = TRY(once_->prepare(true));
    TRY(commit(nothing, {}, intent, late));
  } while (once_->is_due());
  return {};
}

void SinkDrain::count(std::size_t events, std::size_t batches) {
  successes_.add(events);
  const std::size_t full = events / std::max<std::size_t>(sink_->batch_size(), 1);
  complete_.add(std::min(full, batches));
  underflow_.add(batches - std::min(full, batches));
}

// A failure is logged when it begins and, once in a while, when it changes; its end once. What was
// too much for the destination comes again batch by batch; what works is doubled.
void SinkDrain::note(const Result<>& outcome) {
  const std::lock_guard lock(health_mutex_);
  if (outcome.ok()) {
    if (failures_ > 0) {
      log_info(log_name_, "delivers again after {} failed attempts", failures_);
      failures_ = 0;
      trouble_.clear();
    }
    return;
  }
  ++failures_;
  write_fail_.add();
  group_bytes_ = 1;
  trouble_ = outcome.error().message();
  const SteadyTime now = clock_.steady();
  if (failures_ == 1 || (trouble_ != said_ && now - said_at_ >= kBetweenChanges)) {
    said_ = trouble_;
    said_at_ = now;
    log_error(log_name_, "{}; rolled back, tried again until it works", trouble_);
  }
}

Result<> SinkDrain::health() const {
  const std::lock_guard lock(health_mutex_);
  if (!trouble_.empty()) {
    return transient(trouble_);
  }
  return rejected_.health();
}

}  // namespace millrace
