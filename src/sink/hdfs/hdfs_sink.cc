#include "sink/hdfs/hdfs_sink.h"

#include <set>
#include <utility>

#include "base/log.h"
#include "core/registry.h"
#include "sink/exactly_once/file_intent.h"
#include "sink/hdfs/file_type.h"

namespace millrace {
namespace {

dfs::FileSystemsConfig file_systems_of(const HdfsSinkConfig& config) {
  dfs::FileSystemsConfig made = dfs::config_of_process();
  made.call_timeout = config.longest_call();
  return made;
}

NewFiles::Plan file_plan(const HdfsSinkConfig& config, const FileType& type) {
  return {config.in_use_prefix, config.in_use_end(), type.extension,
          type.make_serializer, config.durability(), config.exactly_once()};
}

Buckets::Plan bucket_plan(const HdfsSinkConfig& config, const std::string& component) {
  return {.component = component,
          .roll_interval = config.roll_interval,
          .idle_timeout = config.idle_timeout,
          .roll_size = config.roll_size.value,
          .roll_count = config.roll_count,
          .most_open = config.max_open_files,
          .least_replicas = config.min_block_replicas};
}

}  // namespace

struct HdfsSink::Parts {
  Parts(const HdfsSinkConfig& config, const SinkContext& context, const std::string& component,
        std::shared_ptr<dfs::FileSystem> file_system, BucketPath::Options path_options,
        FileLedger& ledger)
      : files(std::move(file_system)),
        path(std::move(path_options)),
        type(file_type_of(config, context.services)),
        checker(type.make_serializer()),
        publisher(*files, component, context.metrics.counter("FilesPublishedCount"),
                  context.metrics.counter("FilesLostCount")),
        finished(*files, publisher, ledger, context.services.clock,
                 {component, config.retry_interval, config.most_tries()}),
        left(*files, ledger, context.services.clock, component, config.retry_interval,
             type.find_end),
        new_files(*files, ledger, context.services.clock, file_plan(config, type)),
        buckets(context.services.clock, new_files, finished, bucket_plan(config, component),
                {context.metrics.counter("ConnectionCreatedCount"),
                 context.metrics.counter("ConnectionClosedCount"),
                 context.metrics.counter("ConnectionFailedCount")}) {
    if (checker->takes_all()) {
      checker.reset();
    }
  }

  const std::shared_ptr<dfs::FileSystem> files;
  BucketPath path;
  const FileType type;
  std::unique_ptr<EventSerializer> checker;  // Null where the format takes every event.
  FilePublisher publisher;
  FinishedFiles finished;
  LeftFiles left;
  NewFiles new_files;
  Buckets buckets;
};

HdfsSink::HdfsSink(Config config, SinkContext context)
    : config_(std::move(config)),
      context_(std::move(context)),
      log_name_("sink " + context_.name),
      file_systems_(context_.services.files, file_systems_of(config_)),
      ledger_(context_.services.files, config_.ledger_path(context_.name)) {}

HdfsSink::~HdfsSink() = default;

// Asks nobody: a file system that does not answer is found out by the first event.
Result<> HdfsSink::start() {
  if (parts_) {
    return {};
  }
  TRY(lock_ledger());
  TRY(ledger_.load());
  TRY(connect());
  parts_->left.take_over(config_.exactly_once());
  return {};
}

Result<> HdfsSink::lock_ledger() {
  if (lock_) {
    return {};
  }
  std::filesystem::path path = config_.ledger_path(context_.name);
  TRY(context_.services.files.create_directories(path.parent_path()).with("hdfs.stateDir"));
  lock_ = TRY(context_.services.files.lock(path.replace_extension(".lock"))
                  .with("another agent has a sink of this name and path; give each an "
                        "hdfs.stateDir of its own"));
  return {};
}

Result<> HdfsSink::connect() {
  dfs::Place place = TRY(file_systems_.find(config_.path));
  const HostWords host = host_words_of_machine();
  BucketPath::Options path;
  path.folder = TRY(EventText::parse(place.path, host));
  path.prefix = TRY(EventText::parse(config_.file_prefix, host));
  path.time = config_.time_rules();
  path.use_local_time = config_.use_local_time_stamp;
  path.escape_colons = place.files->uri().starts_with("hdfs");
  parts_ = std::make_unique<Parts>(config_, context_, log_name_, std::move(place.files),
                                   std::move(path), ledger_);
  return {};
}

Result<> HdfsSink::deliver(const EventBatch& batch, Rejects& rejects) {
  if (parts_->buckets.drop_unused()) {
    last_bucket_ = nullptr;
    parts_->path.forget_last();
  }
  Result<> delivered = sort_out(batch, rejects);
  if (delivered.ok()) {
    delivered = deliver_groups(batch);
  }
  for (Bucket* const bucket : groups_) {
    bucket->positions.clear();
  }
  groups_.clear();
  return delivered.ok() ? delivered : undo(std::move(delivered));
}

Result<> HdfsSink::sort_out(const EventBatch& batch, Rejects& rejects) {
  BucketPath& path = parts_->path;
  path.start_batch(context_.services.clock.wall_ms());
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const BucketPath::Step step = path.next(batch[i]);
    if (step == BucketPath::Step::kRejected) {
      rejects.add(i, path.reason());
      continue;
    }
    if (step == BucketPath::Step::kOther || last_bucket_ == nullptr) {
      last_bucket_ = &parts_->buckets.find(path.folder(), path.prefix());
    }
    if (parts_->checker != nullptr) {
      Result<> fits = parts_->checker->check(batch[i]);
      if (!fits.ok() && fits.error().fault() != Fault::kRejected) {
        return fits;
      }
      if (!fits.ok()) {
        rejects.add(i, fits.error().message());
        continue;
      }
    }
    if (last_bucket_->positions.empty()) {
      groups_.push_back(last_bucket_);
    }
    last_bucket_->positions.push_back(static_cast<std::uint32_t>(i));
  }
  return {};
}

// All files are there before the first event goes into one: one that cannot be made, as time and
// again in a folder that may not be written, spoils no other.
Result<> HdfsSink::deliver_groups(const EventBatch& batch) {
  if (groups_.size() <= config_.max_open_files) {
    for (Bucket* const bucket : groups_) {
      TRY(parts_->buckets.open(*bucket));
    }
  }
  for (Bucket* const bucket : groups_) {
    const bool is_whole = bucket->positions.size() == batch.size();
    TRY(parts_->buckets.append(*bucket, is_whole ? batch : *batch.pick(bucket->positions)));
  }
  return {};
}

Result<> HdfsSink::flush() {
  if (Result<> flushed = parts_->buckets.flush(); !flushed.ok()) {
    return undo(std::move(flushed));
  }
  parts_->buckets.commit();
  parts_->finished.publish_due();
  return {};
}

Result<> HdfsSink::undo(Result<> failure) {
  parts_->buckets.roll_back();
  return failure;
}

// Between transactions everything is committed.
Result<> HdfsSink::idle() {
  parts_->left.work();
  if (!config_.exactly_once()) {
    parts_->buckets.end_due();
    parts_->finished.commit();
    parts_->finished.publish_due();
  }
  return {};
}

void HdfsSink::stop() {
  if (parts_ && !config_.exactly_once()) {
    parts_->buckets.end_all();
    parts_->finished.commit();
    parts_->finished.publish_due(true);
  }
  parts_.reset();
  lock_.reset();
  file_systems_.close();
}

Result<> HdfsSink::recover(std::string_view intent) {
  parts_->buckets.clear();
  parts_->finished.clear();
  last_bucket_ = nullptr;
  parts_->path.forget_last();
  const FileIntent committed = TRY(decode_file_intent(intent));
  TRY(ledger_.load());
  std::set<std::string> theirs;
  for (const IntendedFile& file : committed) {
    TRY(parts_->publisher.publish(file));
    theirs.insert(file.temporary);
  }
  const std::set<std::string> noted = ledger_.noted();
  for (const std::string& entry : noted) {
    const FileNames names = names_of_entry(entry);
    if (!names.is_by_intent) {
      continue;  // Left by at-least-once delivery: all of it may be committed.
    }
    if (!theirs.contains(names.temporary)) {
      TRY(parts_->publisher.discard(names.temporary));
    }
    ledger_.forget(entry);
  }
  is_stale_ = !committed.empty();
  return {};
}

Result<std::string> HdfsSink::prepare(bool last) {
  Buckets& buckets = parts_->buckets;
  if (Result<> flushed = buckets.flush(); !flushed.ok()) {
    return undo(std::move(flushed)).error();
  }
  buckets.commit();
  last ? buckets.end_all() : buckets.end_due();
  parts_->finished.commit();
  FileIntent intent;
  parts_->finished.append_to(intent);
  buckets.append_to(intent);
  return encode_file_intent(intent);
}

Result<> HdfsSink::publish() {
  is_stale_ = !parts_->finished.empty();
  return parts_->finished.publish_all();
}

bool HdfsSink::is_due() const {
  return is_stale_ || parts_->buckets.is_due();
}

const RegisterSink<HdfsSink> entry{"hdfs", "org.apache.flume.sink.hdfs.HDFSEventSink",
                                   "Writes events to files of HDFS, by time and headers."};

}  // namespace millrace
