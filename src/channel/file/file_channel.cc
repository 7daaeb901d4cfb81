#include "channel/file/file_channel.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/log.h"
#include "channel/file/checkpointer.h"
#include "channel/file/committer.h"
#include "channel/file/opening.h"
#include "channel/file/options.h"
#include "channel/file/parking.h"
#include "channel/file/state.h"
#include "channel/file/take_side.h"
#include "core/channel_metrics.h"
#include "core/registry.h"

namespace millrace {

using file_channel::EventRange;
using file_channel::Lane;
using file_channel::State;
using file_channel::Wakes;

FileChannel::FileChannel(Config config, ChannelContext context)
    : LimitedChannel(config, context.metrics),
      config_(std::move(config)),
      services_(context.services),
      state_(std::make_unique<State>(file_channel::options_of(config_, context), services_,
                                     metrics_)) {
  declare_metrics();
}

FileChannel::~FileChannel() {
  stop();
  metrics_.drop_computed();
}

void FileChannel::declare_metrics() {
  declare_channel_metrics(metrics_, *this);
  const auto is_open = [this] {
    const std::lock_guard lock(state_->mutex);
    return state_->open;
  };
  metrics_.computed_text("Open", [is_open] { return is_open() ? "true" : "false"; });
  metrics_.computed("Closed", MetricKind::kGauge, [is_open] { return is_open() ? 0 : 1; });
  metrics_.computed("Unhealthy", MetricKind::kGauge, [this] { return health().ok() ? 0 : 1; });
}

Result<> FileChannel::start() {
  stop();
  locks_ = TRY(file_channel::open_storage(*state_).with(state_->options.name));
  start_threads();
  return {};
}

void FileChannel::start_threads() {
  for (const std::unique_ptr<Lane>& lane : state_->lanes) {
    committers_.push_back(std::make_unique<file_channel::Committer>(*state_, *lane));
  }
  checkpointer_ = std::make_unique<file_channel::Checkpointer>(*state_);
  checkpointer_->start();
}

void FileChannel::stop() {
  Wakes wakes;
  std::shared_ptr<const file_channel::Parked> parked;
  {
    const std::lock_guard lock(state_->mutex);
    if (!state_->open) {
      return;
    }
    state_->open = false;
    parked = file_channel::park(*state_);
    state_->closing = true;
    wakes = state_->wakes_due();
    state_->takers.wake_all();
  }
  file_channel::run_all(wakes);
  checkpointer_->stop();
  committers_.clear();
  if (parked->events > 0) {
    log_info(state_->options.name, "{} of {} events that were in memory alone are in the log now",
             parked->events - parked->lost, parked->events);
  }
  if (config_.checkpoint_on_close) {
    if (const Result<> written = checkpointer_->write(); !written.ok()) {
      log_warning(state_->options.name, "no checkpoint at the stop: {}", written.error().message());
    }
  }
  {
    const std::lock_guard lock(state_->mutex);
    for (const std::unique_ptr<Lane>& lane : state_->lanes) {
      for (const file_channel::SegmentPtr& segment : lane->segments) {
        segment->file.reset();
      }
      lane->unread.reset();
    }
  }
  locks_.clear();
}

PutStatus FileChannel::put(const BatchPtr& batch, PutDone& done) {
  put_attempts_.add(batch->size());
  const std::size_t bytes = batch->bytes();
  const std::lock_guard lock(state_->mutex);
  if (!state_->open) {
    return PutStatus::kClosed;
  }
  Lane* const lane = state_->has_room(batch->size(), bytes) ? state_->lane_for_put(bytes) : nullptr;
  if (lane == nullptr) {
    state_->least_refused = std::min<std::uint64_t>(state_->least_refused, batch->size());
    return PutStatus::kFull;
  }
  const EventRange numbers = state_->backlog.accept(batch->size());
  state_->in_flight_bytes += bytes;
  lane->pending.push_back({batch, numbers, std::move(done)});
  lane->pending_bytes += bytes;
  if (lane->pending_bytes >= lane->wake_at_bytes) {
    lane->work.notify_one();
  }
  return PutStatus::kAccepted;
}

bool FileChannel::keep_in_memory(const BatchPtr& batch) {
  put_attempts_.add(batch->size());
  const std::lock_guard lock(state_->mutex);
  if (!state_->open) {
    return false;
  }
  state_->backlog.accept_unlogged(batch);
  state_->takers.wake_one();
  return true;
}

bool FileChannel::is_in_memory_alone(const Lease& lease) const {
  const std::lock_guard lock(state_->mutex);
  return state_->backlog.is_unlogged(lease);
}

void FileChannel::when_room(std::function<void()> wake) {
  Wakes wakes;
  {
    const std::lock_guard lock(state_->mutex);
    state_->room_wanted.push_back(std::move(wake));
    wakes = state_->open ? state_->wakes_due() : std::exchange(state_->room_wanted, {});
  }
  file_channel::run_all(wakes);
}

std::optional<Lease> FileChannel::take(const TakeLimit& limit, SteadyTime deadline,
                                       std::stop_token stop) {
  take_attempts_.add();
  // A test's clock may stand still while we wait: the deadline is on the real one.
  const auto wait = deadline - services_.clock.steady();
  return file_channel::take(*state_, limit, std::chrono::steady_clock::now() + wait, stop);
}

void FileChannel::commit(std::span<const Lease> leases, std::span<const HeldEvent> held,
                         SteadyTime held_until) {
  file_channel::commit(*state_, leases, held, held_until);
}

Result<> FileChannel::commit_with_intent(std::span<const Lease> leases,
                                         std::span<const HeldEvent> held, SteadyTime held_until,
                                         const SinkIntent& intent, std::stop_token stop) {
  return file_channel::commit_with_intent(*state_, leases, held, held_until, intent,
                                          std::move(stop));
}

std::string FileChannel::intent_of(std::string_view sink) const {
  const std::lock_guard lock(state_->mutex);
  const file_channel::Intent* const found = state_->intents.find(sink);
  return found != nullptr ? found->bytes : std::string();
}

void FileChannel::roll_back(std::span<const Lease> leases) {
  const std::lock_guard lock(state_->mutex);
  state_->backlog.roll_back(leases);
  state_->takers.wake_one();
}

void FileChannel::count_dropped(std::size_t events) {
  const std::lock_guard lock(state_->mutex);
  state_->backlog.count_dropped(events);
}

ChannelCounts FileChannel::counts() const {
  const std::lock_guard lock(state_->mutex);
  return state_->backlog.counts();
}

std::string FileChannel::promise() const {
  if (config_.fsync_per_transaction) {
    return "file: committed = on stable storage (fdatasync returned)";
  }
  return "file: committed = handed to the operating system; a power loss takes the last " +
         std::to_string(config_.fsync_interval.count()) + " s";
}

Result<> FileChannel::health() const {
  const std::lock_guard lock(state_->mutex);
  if (!state_->open) {
    return closed("the channel is not open");
  }
  for (const std::unique_ptr<Lane>& lane : state_->lanes) {
    if (!lane->trouble.empty()) {
      return transient(lane->trouble);
    }
  }
  return {};
}

const RegisterChannel<FileChannel> entry{
    "file", "org.apache.flume.channel.file.FileChannel",
    "Keeps events in a log on disk: what it committed survives a kill and a power loss."};

}  // namespace millrace
