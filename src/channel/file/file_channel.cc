#include "channel/file/file_channel.h"

#include <algorithm>

#include "base/log.h"
#include "channel/file/checkpointer.h"
#include "channel/file/committer.h"
#include "channel/file/identity.h"
#include "channel/file/loading.h"
#include "channel/file/recall.h"
#include "channel/file/recovery.h"
#include "channel/file/state.h"
#include "core/channel_metrics.h"
#include "core/registry.h"

namespace millrace {

using file_channel::Chunk;
using file_channel::EventRange;
using file_channel::HeldPart;
using file_channel::Lane;
using file_channel::State;
using file_channel::Wakes;

using RealClock = std::chrono::steady_clock;
using RealTime = RealClock::time_point;

namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
constexpr std::uint64_t kLargestSegment = 64 * kMiB;
constexpr std::uint64_t kSmallestSegment = 64 * 1024;
constexpr std::size_t kMostInFlight = 16 * kMiB;

file_channel::Options options_of(const FileChannelConfig& config, const ChannelContext& context) {
  file_channel::Options options;
  options.name = "channel " + context.name;
  options.checkpoint_dir = config.checkpoint_path();
  options.data_dirs = config.data_paths();
  options.capacity = config.capacity;
  options.memory_share = context.memory_share;
  options.most_in_flight = std::clamp<std::size_t>(context.memory_share / 2, kMiB, kMostInFlight);
  options.segment_bytes = file_channel::round_up(
      std::clamp(config.max_file_size.value, kSmallestSegment, kLargestSegment),
      file_channel::kBlock);
  options.minimum_free = std::max(config.minimum_required_space.value, kMiB);
  options.sync_each_group = config.fsync_per_transaction;
  options.sync_interval = config.fsync_interval;
  options.checkpoint_interval =
      std::max(config.checkpoint_interval, std::chrono::milliseconds(1000));
  return options;
}

}  // namespace

FileChannel::FileChannel(Config config, ChannelContext context)
    : config_(std::move(config)),
      services_(context.services),
      metrics_(context.metrics),
      put_attempts_(metrics_.counter("EventPutAttemptCount")),
      take_attempts_(metrics_.counter("EventTakeAttemptCount")),
      state_(std::make_unique<State>(options_of(config_, context), services_, metrics_)) {
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
  Result<> opened = open();
  if (!opened.ok()) {
    locks_.clear();
  }
  return std::move(opened).with(state_->options.name);
}

Result<> FileChannel::open() {
  const file_channel::Options& options = state_->options;
  FileSystem& files = services_.files;
  TRY(files.create_directories(options.checkpoint_dir));
  for (const std::filesystem::path& dir : options.data_dirs) {
    TRY(files.create_directories(dir));
  }
  TRY(lock_dirs());
  std::optional<file_channel::Checkpoint> checkpoint =
      TRY(file_channel::read_checkpoint(files, options.name, options.checkpoint_dir));
  const bool speaks_of_events = checkpoint && !checkpoint->live.empty();
  const file_channel::Identity identity = TRY(
      file_channel::identify(files, options.data_dirs,
                             speaks_of_events ? std::optional(checkpoint->channel) : std::nullopt));
  if (checkpoint && checkpoint->channel != identity.channel) {
    log_warning(options.name, "the checkpoint in {} is of another channel",
                options.checkpoint_dir.string());
    checkpoint.reset();
  }
  adopt(identity,
        TRY(file_channel::recover(files, options.name, identity, options.data_dirs, checkpoint)));
  start_threads();
  return {};
}

Result<> FileChannel::lock_dirs() {
  locks_.clear();
  locks_.push_back(TRY(services_.files.lock(state_->options.checkpoint_dir / "in_use.lock")));
  for (const std::filesystem::path& dir : state_->options.data_dirs) {
    locks_.push_back(TRY(services_.files.lock(dir / "in_use.lock")));
  }
  return {};
}

void FileChannel::adopt(const file_channel::Identity& identity, file_channel::Recovered recovered) {
  const std::lock_guard lock(state_->mutex);
  const file_channel::Options& options = state_->options;
  state_->channel = identity.channel;
  state_->backlog.restore(recovered.next, recovered.live, recovered.dropped,
                          recovered.void_numbers);
  state_->lanes.clear();
  for (std::size_t i = 0; i < recovered.dirs.size(); ++i) {
    file_channel::RecoveredDir& dir = recovered.dirs[i];
    auto lane = std::make_unique<Lane>();
    lane->path = options.data_dirs[i];
    lane->directory = identity.directories[i];
    lane->segments = std::move(dir.segments);
    lane->last_order = dir.last_order;
    lane->synced_order = dir.last_order;
    file_channel::LogOptions log{lane->path,
                                 identity.channel,
                                 lane->directory,
                                 options.segment_bytes,
                                 options.minimum_free,
                                 dir.last_order + 1,
                                 dir.last_slot + 1,
                                 0,
                                 0};
    if (!lane->segments.empty()) {
      const file_channel::Segment& last = *lane->segments.back();
      log.previous_generation = last.generation;
      log.previous_end = last.end;
      lane->synced_order = last.order;
      lane->synced_offset = last.end;
      lane->unread = file_channel::Unread{lane->segments.front(), file_channel::kFirstRecord, 0};
    }
    lane->log = std::make_unique<file_channel::LogWriter>(services_.files, std::move(log));
    for (file_channel::Spare& spare : dir.spares) {
      lane->log->add_spare(std::move(spare));
    }
    state_->lanes.push_back(std::move(lane));
  }
  if (!recovered.live.empty()) {
    log_info(options.name, "{} events are in it", recovered.live.count());
  }
  state_->acks.clear();
  state_->must_reconcile = true;
  state_->checkpoint_wanted = true;
  state_->in_flight_bytes = 0;
  state_->turn = 0;
  state_->turn_bytes = 0;
  state_->closing = false;
  state_->open = true;
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
  {
    const std::lock_guard lock(state_->mutex);
    if (!state_->open) {
      return;
    }
    state_->open = false;
    state_->closing = true;
    wakes = state_->wakes_due();
    ++state_->arrivals;
    state_->arrived.notify_all();
  }
  file_channel::run_all(wakes);
  checkpointer_->stop();
  committers_.clear();
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
  lane->work.notify_one();
  return PutStatus::kAccepted;
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
  const RealTime end = RealClock::now() + (deadline - services_.clock.steady());
  std::unique_lock lock(state_->mutex);
  for (;;) {
    if (!state_->open) {
      return std::nullopt;
    }
    state_->backlog.release_held(services_.clock.steady());
    if (read_back(lock)) {
      continue;
    }
    if (std::optional<Lease> lease = take_ready(limit, lock)) {
      return lease;
    }
    if (stop.stop_requested() || RealClock::now() >= end) {
      return std::nullopt;
    }
    ++state_->takers_asleep;
    state_->arrived.wait_until(lock, stop, std::min(end, next_look()),
                               [&, seen = state_->arrivals] { return state_->arrivals != seen; });
    --state_->takers_asleep;
  }
}

// Reads from the disk what has to come before anything in memory. False when there is no such
// thing, or another taker is at it.
bool FileChannel::read_back(std::unique_lock<std::mutex>& lock) {
  Lane* const unread = file_channel::lane_to_load(*state_);
  if (unread != nullptr && !unread->loading && RealClock::now() >= unread->load_again_at) {
    file_channel::load_more(*state_, *unread, lock);
    return true;
  }
  if (!state_->backlog.wanted_back().empty() && !state_->recalling &&
      RealClock::now() >= state_->recall_again_at) {
    file_channel::recall(*state_, lock);
    return true;
  }
  return false;
}

// The lock is gone when there is a lease: a slice is cut without it.
std::optional<Lease> FileChannel::take_ready(const TakeLimit& limit,
                                             std::unique_lock<std::mutex>& lock) {
  if (file_channel::lane_to_load(*state_) != nullptr) {
    return std::nullopt;
  }
  const auto taken = state_->backlog.take(limit);
  if (!taken) {
    return std::nullopt;
  }
  if (state_->backlog.first_ready() || state_->anything_unread()) {
    state_->wake_taker();
  }
  lock.unlock();
  const Chunk& chunk = taken->second;
  const bool is_whole = chunk.from == 0 && chunk.to == chunk.batch->size();
  return Lease{is_whole ? chunk.batch : chunk.batch->slice(chunk.from, chunk.to), taken->first};
}

// When a taker that nobody wakes has to look again.
RealTime FileChannel::next_look() const {
  RealTime next = RealTime::max();
  if (const auto release = state_->backlog.next_release()) {
    next = RealClock::now() + (*release - services_.clock.steady());
  }
  if (!state_->backlog.wanted_back().empty()) {
    next = std::min(next, state_->recalling ? RealTime::max() : state_->recall_again_at);
  }
  if (const Lane* const unread = file_channel::lane_to_load(*state_)) {
    next = std::min(next, unread->loading ? RealTime::max() : unread->load_again_at);
  }
  return next;
}

void FileChannel::commit(std::span<const Lease> leases, std::span<const HeldEvent> held,
                         SteadyTime held_until) {
  std::vector<HeldPart> parts;
  std::vector<HeldEvent> sorted(held.begin(), held.end());
  std::sort(sorted.begin(), sorted.end(), [](const HeldEvent& a, const HeldEvent& b) {
    return std::pair(a.lease, a.event) < std::pair(b.lease, b.event);
  });
  for (const HeldEvent& event : sorted) {
    if (parts.empty() || parts.back().lease != event.lease) {
      parts.push_back({event.lease, {}, nullptr});
    }
    parts.back().positions.push_back(event.event);
  }
  bool may_keep = false;
  if (!parts.empty()) {
    const std::lock_guard lock(state_->mutex);
    may_keep = state_->backlog.memory() <= state_->options.memory_share / 2;
  }
  for (HeldPart& part : parts) {  // They may stay for long: they pin no more than they need.
    part.batch = may_keep ? leases[part.lease].batch->pick(part.positions)->compact(services_.slabs)
                          : nullptr;
  }
  Wakes wakes;
  {
    const std::lock_guard lock(state_->mutex);
    const std::vector<EventRange> left = state_->backlog.commit(leases, parts, held_until);
    state_->add_acks(left);
    wakes = state_->wakes_due();
    if (!parts.empty()) {
      state_->wake_taker();  // To wait until the held ones' time.
    }
  }
  file_channel::run_all(wakes);
}

void FileChannel::roll_back(std::span<const Lease> leases) {
  const std::lock_guard lock(state_->mutex);
  state_->backlog.roll_back(leases);
  state_->wake_taker();
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
