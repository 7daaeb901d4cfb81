#include "sink/rolling_file.h"

#include <utility>

#include "core/component_choice.h"
#include "core/registry.h"

namespace millrace {
namespace {

OutputSync sync_of(const RollingFileConfig& config, bool channel_is_durable) {
  const bool durable = config.sync == "always" || config.exactly_once() ||
                       (config.sync == "auto" && channel_is_durable);
  return durable ? OutputSync::kDurable : OutputSync::kNone;
}

NameStyle style_of(const std::string& path_manager) {
  const bool by_time = path_manager.find("ROLLTIME") != std::string::npos ||
                       path_manager.find("RollTime") != std::string::npos;
  return by_time ? NameStyle::kRollTime : NameStyle::kSeries;
}

}  // namespace

void RollingFileConfig::check(ConfigCheck& check) const {
  ComponentChoice<SerializerRegistry>::check("sink.serializer", serializer, serializer_keys, check);
  if (exactly_once() && sync == "never") {
    check.fault("sink.sync", "exactly-once delivery needs files that are synced");
  }
}

RollingFileSink::RollingFileSink(Config config, SinkContext context)
    : config_(std::move(config)),
      sync_(sync_of(config_, context.channel_is_durable)),
      files_(context.services.files),
      names_(style_of(config_.path_manager), config_.prefix, config_.extension,
             context.services.clock),
      failed_(context.metrics.counter("ConnectionFailedCount")),
      series_(files_, context.services.clock,
              {.component = "sink " + context.name,
               .sync = sync_,
               .roll_interval = config_.roll_interval,
               .next_path = next_path(),
               .make_serializer = serializer_maker(context.services)},
              counts(context.metrics)) {
  if (config_.exactly_once()) {
    published_ = std::make_unique<PublishedSeries>(
        files_, context.services.clock,
        PublishedSeries::Plan{
            .component = "sink " + context.name,
            .ledger = config_.directory / (".millrace-" + context.name + ".ledger"),
            .roll_interval = config_.roll_interval,
            .next_path = next_path(),
            .make_serializer = serializer_maker(context.services)},
        PublishedSeries::Counts{counts(context.metrics),
                                context.metrics.counter("FilesPublishedCount"),
                                context.metrics.counter("FilesLostCount")});
  }
}

std::function<std::filesystem::path()> RollingFileSink::next_path() {
  return [this] { return config_.directory / names_.next(); };
}

std::function<std::unique_ptr<EventSerializer>()> RollingFileSink::serializer_maker(
    Services& services) const {
  return [&services, choice = ComponentChoice<SerializerRegistry>(config_.serializer,
                                                                  config_.serializer_keys)] {
    return choice.make({services});
  };
}

FileCounts RollingFileSink::counts(MetricGroup& metrics) const {
  return {metrics.counter("ConnectionCreatedCount"), metrics.counter("ConnectionClosedCount"),
          failed_};
}

Result<> RollingFileSink::start() {
  const Result<FileStatus> folder = files_.status(config_.directory);
  if (!folder.ok() || !folder.value().is_directory) {
    failed_.add();
    return transient(
        "sink.directory " + config_.directory.string() +
        (folder.ok() ? " is not a folder" : " cannot be used: " + folder.error().message()) +
        "; tried again until it is there");
  }
  return published_ ? Result<>() : series_.open();
}

Result<> RollingFileSink::deliver(const EventBatch& batch, Rejects&) {
  return published_ ? published_->append(batch) : series_.append(batch);
}

Result<> RollingFileSink::flush() {
  return series_.commit();
}

// Between transactions: everything in the file is committed.
Result<> RollingFileSink::idle() {
  series_.roll_if_due();
  return {};
}

const RegisterSink<RollingFileSink> entry{"file_roll", "org.apache.flume.sink.RollingFileSink",
                                          "Writes events to files, a new one every interval."};

}  // namespace millrace
