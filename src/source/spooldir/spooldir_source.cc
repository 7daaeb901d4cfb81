#include "source/spooldir/spooldir_source.h"

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "core/registry.h"

namespace millrace {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr std::string_view kTrackerName = ".flumespool-main.meta";
constexpr milliseconds kMemoryRetry{5};
constexpr auto kLongTime = std::chrono::hours(1);

}  // namespace

SpooldirSource::SpooldirSource(Config config, SourceContext context)
    : ThreadSource(std::move(context)),
      config_(std::move(config)),
      component_("source " + context_.name),
      files_(context_.services.files),
      failed_files_(context_.metrics.counter("EventReadFail")),
      builder_(space_),
      deserializer_(config_.deserializer, config_.keys_of_deserializer()),
      folder_(config_, files_),
      aside_(files_, config_.folder, config_.tracker_folder()),
      tracker_(files_, config_.tracker_folder() / kTrackerName) {}

SpooldirSource::~SpooldirSource() {
  stop(SteadyTime{});
}

Result<> SpooldirSource::open() {
  TRY(folder_.prepare());
  aside_.begin_anew();
  tracked_.reset();
  whole_.clear();
  tell_folder_trouble("");
  Result<std::optional<TrackedPosition>> tracked = tracker_.load();
  if (!tracked.ok()) {
    log_warning(component_, "{} cannot be used: {}; the file that it names is read from its begin",
                tracker_.path().string(), tracked.error().message());
    return {};
  }
  tracked_ = std::move(tracked).value();
  if (tracked_ && !tracked_->damage.empty()) {
    log_warning(component_, "{} is damaged {}; {} goes on at byte {}, the last position before",
                tracker_.path().string(), tracked_->damage, tracked_->path, tracked_->offset);
  }
  return {};
}

milliseconds SpooldirSource::turn(std::stop_token stop) {
  if (current_ == nullptr && !open_next()) {
    return config_.poll_delay;
  }
  const std::string_view headers = builder_.store_header_block(current_->headers);
  const Result<EventDeserializer::Read> read =
      current_->events->read(builder_, config_.batch_size, headers);
  const bool at_end = read.ok() && read.value() == EventDeserializer::Read::kEnd;
  if (at_end && builder_.empty() && current_->committed.identity.size == 0) {
    builder_.add({}, headers);  // An empty file is an event, as Flume has it.
  }
  if (builder_.empty() && read.ok() && !at_end) {
    builder_.clear();
    return kMemoryRetry;
  }
  if (!builder_.empty() && !put_and_wait(at_end, stop)) {
    return milliseconds(0);
  }
  builder_.clear();
  if (!read.ok() || at_end) {
    const std::unique_ptr<Current> done = std::exchange(current_, nullptr);
    if (read.ok()) {
      mark_done(done->relative, done->committed);
    } else {
      set_aside(done->relative, done->committed, read.error());
    }
  }
  return milliseconds(0);
}

// False when the batch is not committed: a stop, or channels that can never take it. Behind the
// last batch of a file the file is marked at once, and needs no position, unless a stop comes
// between.
bool SpooldirSource::put_and_wait(bool is_last, std::stop_token stop) {
  struct Answer {
    bool is_there = false;
    bool is_awaited = true;
    std::optional<Error> error;
  };
  const auto answer = std::make_shared<Answer>();
  const auto store = [this, path = current_->path.string(), identity = current_->committed.identity,
                      position = current_->events->position()] {
    store_position(path, identity, position);
  };
  put(builder_, stop, [answer, store, is_last](const Result<>& result) {
    answer->is_there = true;
    if (!result.ok()) {
      answer->error = result.error();
    } else if (!is_last || !answer->is_awaited) {
      store();
    }
  });
  tasks_.run_until([&] { return answer->is_there; }, std::chrono::steady_clock::now() + kLongTime,
                   stop);
  answer->is_awaited = false;
  if (answer->error && answer->error->fault() != Fault::kClosed) {
    set_aside(current_->relative, current_->committed, *answer->error);
    current_.reset();
  }
  const bool is_committed = answer->is_there && !answer->error;
  if (is_committed) {
    current_->committed.offset = current_->events->position();
  }
  return is_committed;
}

void SpooldirSource::store_position(const std::string& path, const SpooledIdentity& identity,
                                    std::uint64_t position) {
  const Result<> stored = tracker_.store(path, identity, position);
  if (!stored.ok() && !tracker_is_told_) {
    log_error(component_, "the tracker file cannot be written; a kill would repeat more: {}",
              stored.error().message());
  }
  tracker_is_told_ = !stored.ok();
}

bool SpooldirSource::open_next() {
  aside_.drop_gone();
  mark_those_left();
  if (tracked_) {  // What was being read goes on first.
    const fs::path relative = fs::path(tracked_->path).lexically_relative(config_.folder);
    const Committed committed{tracked_->identity.value_or(SpooledIdentity()), tracked_->offset};
    if (!relative.empty() && *relative.begin() != ".." &&
        files_.exists(config_.folder / relative) && !relative.string().ends_with(config_.suffix)) {
      const Result<> begun = begin(relative);
      if (begun.ok()) {
        return true;
      }
      set_aside(relative, committed, begun.error());
    }
    tracked_.reset();
  }
  const auto is_passed_over = [this, now = std::chrono::steady_clock::now()](const fs::path& name) {
    return aside_.passes_over(name, now);
  };
  for (;;) {
    const Result<std::optional<SpooledFile>> next = folder_.next(is_passed_over);
    tell_folder_trouble(next.ok() ? folder_.trouble() : next.error().message());
    if (!next.ok() || !next.value()) {
      return false;
    }
    const fs::path& relative = next.value()->relative;
    const Result<> begun = begin(relative);
    if (begun.ok()) {
      return true;
    }
    if (files_.exists(config_.folder / relative)) {
      set_aside(relative, {}, begun.error());
    }
  }
}

Result<> SpooldirSource::begin(const fs::path& relative) {
  const fs::path path = config_.folder / relative;
  std::unique_ptr<File> file = TRY(files_.open(path, OpenMode::kRead));
  const FileStatus status = TRY(file->status());
  const SpooledIdentity identity = identity_of(status);
  const std::uint64_t position = position_in(relative, identity);
  log_info(component_, "reads {} from byte {} to {}", path.string(), position, status.size);
  auto events = deserializer_.make({space_, std::move(file), path.string(), position, status.size,
                                    config_.input_charset, config_.decode_error_policy()});
  HeaderEditor of_file;
  TRY(events->begin(of_file));
  std::string headers = with_names(of_file, path);
  current_ = std::make_unique<Current>(
      Current{relative, path, std::move(events), std::move(headers), {identity, position}});
  tracked_.reset();
  aside_.take_back(relative);
  return {};
}

std::uint64_t SpooldirSource::position_in(const fs::path& relative,
                                          const SpooledIdentity& identity) {
  const fs::path path = config_.folder / relative;
  const std::uint64_t kept = aside_.offset_of(relative, identity);
  if (!tracked_ || fs::path(tracked_->path).lexically_normal() != path.lexically_normal()) {
    return kept;
  }
  if (tracked_->offset > identity.size || (tracked_->identity && *tracked_->identity != identity)) {
    log_warning(component_, "{} is not as it was when it was read to byte {}: read from its begin",
                path.string(), tracked_->offset);
    return 0;
  }
  return std::max(tracked_->offset, kept);
}

std::string SpooldirSource::with_names(HeaderEditor headers, const fs::path& path) const {
  std::error_code ignored;
  const std::string whole = fs::absolute(path, ignored).string();
  const std::string name = path.filename().string();
  if (config_.file_header) {
    headers.set(config_.file_header_key, whole);
  }
  if (config_.basename_header) {
    headers.set(config_.basename_header_key, name);
  }
  return headers.encode();
}

const RegisterSource<SpooldirSource> entry{
    "spooldir", "org.apache.flume.source.SpoolDirectorySource",
    "Takes files that are moved into a folder apart into events, and marks them as done."};

}  // namespace millrace
