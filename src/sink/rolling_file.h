// file_roll: writes events to files of a folder, a new one every roll interval.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "config/fields.h"
#include "core/component.h"
#include "core/sink.h"
#include "sink/exactly_once/published_series.h"
#include "sink/output_names.h"
#include "sink/output_series.h"

namespace millrace {

struct RollingFileConfig {
  std::filesystem::path directory;
  std::chrono::seconds roll_interval{30};
  std::uint32_t batch_size = 100;
  std::string serializer = "TEXT";
  PropertySection serializer_keys;
  std::string path_manager = "DEFAULT";
  std::string prefix;
  std::string extension;
  std::string sync = "auto";
  std::string delivery = "at-least-once";

  static constexpr auto fields() {
    using C = RollingFileConfig;
    return std::tuple{
        field("sink.directory", &C::directory, "Folder that receives the files; it must be there.")
            .required()
            .example("/var/spool/millrace"),
        field("sink.rollInterval", &C::roll_interval,
              "Seconds that a file with events is open; 0 or less: as long as it may grow.")
            .range(-2'147'483'648LL, 2'147'483'647LL),
        field("sink.batchSize", &C::batch_size, "Most events in one take.").range(1, 1'000'000),
        field("sink.serializer", &C::serializer, "Format: TEXT, HEADER_AND_TEXT or AVRO_EVENT.")
            .example("AVRO_EVENT"),
        field("sink.serializer.", &C::serializer_keys, "Keys of the serializer."),
        field("sink.pathManager", &C::path_manager,
              "Names: DEFAULT has the time at which the sink was made and a number, ROLLTIME the "
              "second at which the file was begun.")
            .choices({"DEFAULT", "ROLLTIME",
                      "org.apache.flume.formatter.output.DefaultPathManager$Builder",
                      "org.apache.flume.formatter.output.RollTimePathManager$Builder"}),
        field("sink.pathManager.prefix", &C::prefix, "What each name begins with."),
        field("sink.pathManager.extension", &C::extension,
              "What each name ends with, dot excluded.")
            .example("avro"),
        field("sink.sync", &C::sync,
              "Whether events are on stable storage before the channel forgets them: always, "
              "never, or auto: if the channel is durable.")
            .choices({"auto", "always", "never"}),
        field("sink.delivery", &C::delivery,
              "exactly-once: a file is seen, whole, when it is ended, and holds each event once; "
              "takes a file channel.")
            .choices({"at-least-once", "exactly-once"}),
    };
  }
  void check(ConfigCheck& check) const;
  std::size_t events_per_transaction() const { return batch_size; }
  bool exactly_once() const { return delivery == "exactly-once"; }
};

// Durable: when it syncs, flush() returns after fdatasync of the file and, for a new one, of the
// folder; a committed event survives a power loss. Else it survives the end of this process.
// Repeats: none after an error, as long as the file can be cut back to what was committed; after a
// kill, the transaction that was under way.
// With sink.delivery = exactly-once: see PublishedSeries.
// Files: one is begun at start and, after a roll, with the first event, so that an idle sink leaves
// no row of empty files as Flume does. One that may not grow any more is ended. A file that is
// there is never written to: neither one of an earlier run, whose end may be torn, nor one of the
// same name.
// Threads: made on the control thread, then used by its runner's thread alone.
class RollingFileSink final : public Sink {
 public:
  using Config = RollingFileConfig;
  RollingFileSink(Config config, SinkContext context);

  Result<> start() override;
  Result<> deliver(const EventBatch& batch, Rejects& rejects) override;
  Result<> flush() override;
  Result<> idle() override;
  ExactlyOnce* exactly_once() override { return published_.get(); }
  void stop() override { series_.close(); }
  std::size_t batch_size() const override { return config_.batch_size; }
  bool flush_is_costly() const override { return sync_ == OutputSync::kDurable; }

 private:
  std::function<std::filesystem::path()> next_path();
  std::function<std::unique_ptr<EventSerializer>()> serializer_maker(Services& services) const;
  FileCounts counts(MetricGroup& metrics) const;

  const Config config_;
  const OutputSync sync_;
  FileSystem& files_;
  OutputNames names_;
  Counter& failed_;
  OutputSeries series_;                         // At least once.
  std::unique_ptr<PublishedSeries> published_;  // Null but for exactly once.
};

}  // namespace millrace
