#include "sink/rolling_file.h"

#include <utility>

#include "base/log.h"
#include "core/registry.h"

namespace millrace {
namespace {

OutputSync sync_of(const std::string& key, bool channel_is_durable) {
  const bool durable = key == "always" || (key == "auto" && channel_is_durable);
  return durable ? OutputSync::kDurable : OutputSync::kNone;
}

NameStyle style_of(const std::string& path_manager) {
  const bool by_time = path_manager.find("ROLLTIME") != std::string::npos ||
                       path_manager.find("RollTime") != std::string::npos;
  return by_time ? NameStyle::kRollTime : NameStyle::kSeries;
}

}  // namespace

void RollingFileConfig::check(ConfigCheck& check) const {
  SerializerChoice::check("sink.serializer", serializer, serializer_keys, check);
}

RollingFileSink::RollingFileSink(Config config, SinkContext context)
    : config_(std::move(config)),
      name_("sink " + context.name),
      sync_(sync_of(config_.sync, context.channel_is_durable)),
      services_(context.services),
      serializer_(config_.serializer, config_.serializer_keys),
      names_(style_of(config_.path_manager), config_.prefix, config_.extension,
             context.services.clock),
      opened_(context.metrics.counter("ConnectionCreatedCount")),
      closed_(context.metrics.counter("ConnectionClosedCount")),
      failed_(context.metrics.counter("ConnectionFailedCount")) {}

Result<> RollingFileSink::start() {
  const Result<FileStatus> folder = services_.files.status(config_.directory);
  if (!folder.ok() || !folder.value().is_directory) {
    failed_.add();
    return transient(
        "sink.directory " + config_.directory.string() +
        (folder.ok() ? " is not a folder" : " cannot be used: " + folder.error().message()) +
        "; tried again until it is there");
  }
  return file_ ? Result<>() : open_file();
}

Result<> RollingFileSink::deliver(const EventBatch& batch, Rejects&) {
  if (!file_) {
    TRY(open_file());
  }
  Result<> appended = file_->append(batch);
  return appended.ok() ? appended : undo(std::move(appended));
}

Result<> RollingFileSink::flush() {
  if (!file_) {
    return {};
  }
  Result<> committed = file_->commit();
  return committed.ok() ? committed : undo(std::move(committed));
}

// Between transactions: everything in the file is committed.
Result<> RollingFileSink::idle() {
  if (file_ && !file_->has_name()) {
    log_warning(name_, "{} was moved or removed; a new file is begun", file_->path().string());
    close_file();
  } else if (roll_is_due()) {
    close_file();
  }
  return {};
}

void RollingFileSink::stop() {
  if (file_) {
    close_file();
  }
}

bool RollingFileSink::roll_is_due() const {
  return file_ && file_->has_events() && config_.roll_interval > std::chrono::seconds(0) &&
         services_.clock.steady() - opened_at_ >= config_.roll_interval;
}

Result<> RollingFileSink::open_file() {
  std::filesystem::path path = config_.directory / names_.next();
  while (services_.files.exists(path)) {
    path = config_.directory / names_.next();
  }
  Result<std::unique_ptr<OutputFile>> file =
      OutputFile::create(services_.files, std::move(path), serializer_.make(services_), sync_);
  if (!file.ok()) {
    failed_.add();
    return std::move(file).error();
  }
  file_ = std::move(file).value();
  opened_at_ = services_.clock.steady();
  opened_.add();
  return {};
}

void RollingFileSink::close_file() {
  const Result<> finished = file_->finish();
  if (!finished.ok()) {
    log_warning(name_, "{} has no proper end: {}", file_->path().string(),
                finished.error().message());
  }
  file_.reset();
  closed_.add();
}

// The transaction comes again: nothing of it may stay in the file.
Result<> RollingFileSink::undo(Result<> failure) {
  if (!file_->roll_back()) {
    if (!file_->has_events()) {
      (void)services_.files.remove(file_->path());  // Else a dead disk would collect empty ones.
    } else {
      log_warning(name_, "{} is given up: it may end with events that come again in the next file",
                  file_->path().string());
    }
    file_.reset();
    closed_.add();
  }
  return failure;
}

const RegisterSink<RollingFileSink> entry{"file_roll", "org.apache.flume.sink.RollingFileSink",
                                          "Writes events to files, a new one every interval."};

}  // namespace millrace
