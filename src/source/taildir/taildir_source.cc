#include "source/taildir/taildir_source.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "base/log.h"
#include "core/registry.h"
#include "io/open_file_limit.h"

namespace millrace {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kTurn{100};  // Answers wait no longer.
constexpr milliseconds kMemoryRetry{5};
constexpr std::uint64_t kSmallRound = 64 * 1024;  // Bytes; behind it comes a pause.

SteadyTime now() {
  return std::chrono::steady_clock::now();
}

TailReader::Options reader_options(const TaildirConfig& config) {
  return {config.events_per_put(), config.byte_offset_header,
          config.file_header ? config.file_header_key : std::string()};
}

}  // namespace

TaildirSource::TaildirSource(Config config, SourceContext context)
    : ThreadSource(std::move(context)),
      config_(std::move(config)),
      component_("source " + context_.name),
      groups_(file_groups(config_)),
      positions_(context_.services.files, config_.position_path()),
      builder_(space_),
      reader_(space_, builder_, groups_, reader_options(config_),
              context_.metrics.counter("IncompleteEventCount")),
      batches_received_(context_.metrics.counter("AppendBatchReceivedCount")),
      batches_accepted_(context_.metrics.counter("AppendBatchAcceptedCount")),
      read_fails_(context_.metrics.counter("EventReadFail")),
      restarts_(context_.metrics.counter("FileRestartCount")),
      tailed_files_(context_.metrics.counter("TailedFileCount", MetricKind::kGauge)),
      open_file_count_(context_.metrics.counter("OpenFileCount", MetricKind::kGauge)),
      unread_bytes_(context_.metrics.counter("UncommittedByteCount", MetricKind::kGauge)) {}

TaildirSource::~TaildirSource() {
  stop(SteadyTime{});
}

// ---- Start and stop ----

Result<> TaildirSource::open() {
  Result<> begun = begin();
  if (!begun.ok()) {
    close();
  }
  return begun;
}

Result<> TaildirSource::begin() {
  wake_ = Descriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wake_) {
    return system_error("eventfd", errno);
  }
  open_file_limit_ = TRY(raise_open_file_limit());
  most_open_files_ = open_file_limit_ - std::min(open_file_limit_ / 2, kOtherFiles);
  TRY(positions_.open());
  LoadedEntries known = TRY(positions_.load());
  for (const std::string& finding : known.findings) {
    log_warning(component_, "{}", finding);
  }
  files_.emplace(
      context_.services.files, groups_,
      TailedFiles::Options{config_.skip_to_end, config_.cache_names, config_.max_backoff_sleep},
      std::move(known), component_);
  files_->take_changes(now());
  learn_heads();
  // Where files are skipped to their end that is known from now on, whatever happens.
  return save();
}

// What was not put stays in the files.
void TaildirSource::drain(SteadyTime deadline) {
  builder_.clear();
  reader_.take_marks();
  tasks_.run_until([this] { return context_.channels.unanswered() == 0; }, deadline, {});
  take_answers();
  if (const Result<> saved = save(); !saved.ok()) {
    log_error(component_, "{}; lines since the last write will come again",
              saved.error().message());
  }
}

void TaildirSource::close() {
  round_.clear();
  failed_.clear();
  window_ = {};
  files_.reset();
  positions_.close();
  resume_at_ = {};
}

Result<> TaildirSource::health() const {
  const std::lock_guard lock(trouble_mutex_);
  return trouble_.empty() ? Result<>() : transient(trouble_);
}

// ---- A turn ----

milliseconds TaildirSource::turn(std::stop_token stop) {
  take_answers();
  if (const SteadyTime time = now(); time < resume_at_) {
    save_if_due(time);
    return std::chrono::ceil<milliseconds>(resume_at_ - time);
  }
  files_->take_changes(now());
  look_after_files(now());
  if (files_->take_has_new() && config_.skip_to_end) {
    save_at_ = {};  // One that is not known would be skipped after a kill.
    has_moved_ = true;
  }
  save_if_due(now());
  if (round_.empty()) {
    round_began_ = reader_.bytes_read();
    for (TailedFilePtr& file : files_->take_queue()) {
      round_.push_back({std::move(file)});
    }
  }
  if (round_.empty()) {
    wait_for_changes(stop);
    return milliseconds(0);
  }
  return read_round(stop);
}

// Goes on until the round is over, or for about a turn's time.
milliseconds TaildirSource::read_round(const std::stop_token& stop) {
  using End = TailReader::End;
  const SteadyTime until = now() + kTurn / 2;
  while (!round_.empty() && now() < until) {
    Turn turn = std::move(round_.front());
    round_.pop_front();
    switch (visit(turn, stop)) {
      case End::kAll:
        break;
      case End::kEnough:
        round_.push_back({std::move(turn.file)});
        break;
      case End::kMuch:
        round_.push_front(std::move(turn));
        return milliseconds(0);
      case End::kNoMemory:
        put_batch(stop);
        round_.push_front(std::move(turn));
        return kMemoryRetry;
      case End::kStopped:
        files_->queue(turn.file);
        return milliseconds(0);
    }
  }
  put_batch(stop);  // Nothing waits for company that is not there.
  if (round_.empty() && reader_.bytes_read() - round_began_ < kSmallRound) {
    const std::stop_callback wake(stop, [this] { ::eventfd_write(wake_.get(), 1); });
    pollfd wait{wake_.get(), POLLIN, 0};
    ::poll(&wait, 1, static_cast<int>(kPause.count()));
  }
  return milliseconds(0);
}

TailReader::End TaildirSource::visit(Turn& turn, const std::stop_token& stop) {
  TailedFile& file = *turn.file;
  file.is_queued = false;
  has_moved_ = true;
  if (!file.is_open()) {
    if (const Result<> opened = open_file(file); !opened.ok()) {
      if (opened.error().fault() != Fault::kClosed) {
        read_failed(turn.file, opened.error());
      }
      return TailReader::End::kAll;
    }
  }
  const Result<TailReader::End> end = read(turn, stop);
  if (!end.ok()) {
    read_failed(turn.file, end.error());
    return TailReader::End::kAll;
  }
  if (*end == TailReader::End::kAll && is_quiet(file, now())) {
    file.close();
  }
  return *end;
}

Result<TailReader::End> TaildirSource::read(Turn& turn, const std::stop_token& stop) {
  TailedFile& file = *turn.file;
  const std::uint32_t restarts = file.restarts();
  const std::uint64_t size = TRY(file.look());
  if (file.restarts() != restarts) {
    restarts_.add();
    log_info(component_, "{} was emptied or replaced: it is read from its beginning", file.path());
  }
  if (size > file.searched() || file.active_at() == SteadyTime{}) {
    file.set_active(now());
  }
  turn.end = turn.end == 0 ? size : std::min(turn.end, size);
  TRY(file.learn_head());
  has_new_files_ = file.take_is_new() || has_new_files_;
  const auto put = [&] { return put_batch(stop); };
  const TailReader::End end = TRY(
      reader_.read(turn.file, turn.end, config_.events_per_visit(), is_quiet(file, now()), put));
  TRY(file.learn_head());
  return end;
}

bool TaildirSource::is_quiet(const TailedFile& file, SteadyTime now) const {
  return now - file.active_at() >= config_.idle_timeout;
}

// ---- Waiting ----

void TaildirSource::wait_for_changes(const std::stop_token& stop) {
  SteadyTime until = std::min(files_->next_look(), look_after_at_);
  if (has_moved_) {
    until = std::min(until, save_at_);
  }
  if (!window_.empty()) {
    until = std::min(until, now() + kTurn);
  }
  const auto time = std::chrono::ceil<milliseconds>(until - now());
  const std::stop_callback wake(stop, [this] { ::eventfd_write(wake_.get(), 1); });
  std::array<pollfd, 2> wait{{{wake_.get(), POLLIN, 0}, {files_->descriptor(), POLLIN, 0}}};
  ::poll(wait.data(), wait.size(),
         static_cast<int>(std::clamp<std::int64_t>(time.count(), 0, kLookAfter.count())));
}

const RegisterSource<TaildirSource> entry{
    "TAILDIR", "org.apache.flume.source.taildir.TaildirSource",
    "Follows files as they are written and takes each line for an event."};

}  // namespace millrace
