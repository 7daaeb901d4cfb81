#include "cli/channel/flume_import.h"

#include <fmt/core.h>

#include <algorithm>
#include <future>
#include <map>

namespace millrace {
namespace {

constexpr std::chrono::seconds kPatience{30};  // For a channel that has no room, as on a full disk.

std::uint64_t gone_from(const ChannelCounts& counts) {
  return counts.acknowledged + counts.dropped;
}

// The same folder, by whatever name.
bool is_same_folder(const std::filesystem::path& a, const std::filesystem::path& b) {
  const auto whole = [](const std::filesystem::path& path) {
    std::error_code error;
    const std::filesystem::path canonical = std::filesystem::weakly_canonical(path, error);
    const std::filesystem::path normal = error ? path.lexically_normal() : canonical;
    return normal.has_filename() ? normal : normal.parent_path();
  };
  return whole(a) == whole(b);
}

}  // namespace

FlumeImport::FlumeImport(ImportRequest request, ChannelContext context, Say say, Progress progress)
    : request_(std::move(request)),
      services_(context.services),
      say_(std::move(say)),
      progress_(std::move(progress)),
      channel_(request_.config, std::move(context)) {}

Result<ImportCounts> FlumeImport::run() {
  TRY(survey());
  TRY(channel_.start());
  const std::uint64_t already_in = TRY(begin());
  TRY(fill(already_in));
  TRY(flume_log::refuse_in_use(services_.files, *folders_)
          .with("Flume was started during the import, and delivers the same events"));
  record_.is_complete = true;
  TRY(write_import_record(services_.files, request_.config.checkpoint_path(), record_));
  channel_.stop();
  say_damages(contents_.damages);
  say_damages(batches_->damages());
  return counts();
}

Result<> FlumeImport::survey() {
  TRY(refuse_own_folders());
  folders_ =
      TRY(flume_log::open_folders(services_.files, request_.checkpoint_dir, request_.data_dirs));
  const flume_log::CheckpointReading reading =
      TRY(flume_log::read_flume_checkpoint(services_.files, request_.checkpoint_dir));
  std::uint64_t bytes = 0;
  for (const flume_log::LogFile& log : folders_->logs) {
    bytes += log.size;
  }
  say_(fmt::format("{} log files, {} bytes; {}", folders_->logs.size(), bytes,
                   reading.checkpoint ? "from Flume's checkpoint on"
                                      : "Flume's checkpoint is not used (" + reading.why_not +
                                            "): all of the log is read"));
  contents_ = TRY(flume_log::replay(services_.files, *folders_, reading));
  TRY(refuse_missing_logs());
  for (const std::string& remark : folders_->remarks) {
    say_(remark);
  }
  for (const std::string& remark : contents_.remarks) {
    say_(remark);
  }
  if (contents_.doubtful > 0) {
    say_(
        fmt::format("{} events are imported though their commit was not found, because damage "
                    "behind them may have hit it",
                    contents_.doubtful));
  }
  return {};
}

Result<> FlumeImport::refuse_own_folders() const {
  std::vector<std::filesystem::path> theirs = request_.data_dirs;
  theirs.push_back(request_.checkpoint_dir);
  std::vector<std::filesystem::path> ours = request_.config.data_paths();
  ours.push_back(request_.config.checkpoint_path());
  for (const std::filesystem::path& own : ours) {
    for (const std::filesystem::path& foreign : theirs) {
      if (is_same_folder(own, foreign)) {
        return rejected(fmt::format(
            "{} is Flume's, and a folder of {} too: give that one dataDirs and a checkpointDir of "
            "its own",
            foreign.string(), request_.channel));
      }
    }
  }
  return {};
}

Result<> FlumeImport::refuse_missing_logs() const {
  std::map<std::uint32_t, std::uint64_t> missing;  // Events, by log.
  for (const flume_log::Pointer& event : contents_.events) {
    ++missing[event.file];
  }
  for (const flume_log::LogFile& log : folders_->logs) {
    missing.erase(log.meta.log);
  }
  if (missing.empty() || request_.accept_loss) {
    return {};
  }
  const auto& [log, events] = *missing.begin();
  return rejected(
      fmt::format("{} events are in log-{}, which is in none of the data dirs: name all of them, "
                  "or, if it is lost, import the rest with --accept-loss",
                  events, log));
}

Result<std::uint64_t> FlumeImport::begin() {
  const std::filesystem::path dir = request_.config.checkpoint_path();
  record_ = record_of(*folders_, contents_.events);
  record_.batch_events = channel_.transaction_capacity();
  record_.number = 1;
  std::uint64_t already_in = 0;
  std::optional<ImportRecord> earlier;
  for (const ImportRecord& record : TRY(read_import_records(services_.files, dir))) {
    record_.number = record.number + 1;
    if (record.shares_log_with(record_)) {
      earlier = record;
    }
  }
  if (earlier && !request_.again) {
    already_in = TRY(resume(*earlier));
  } else {
    const ChannelCounts counts = channel_.counts();
    record_.put_before = counts.put;
    record_.gone_before = gone_from(counts);
  }
  TRY(refuse_without_room(already_in));
  TRY(write_import_record(services_.files, dir, record_));
  return already_in;
}

Result<std::uint64_t> FlumeImport::resume(const ImportRecord& earlier) {
  if (earlier.is_complete) {
    return rejected(fmt::format(
        "what {} held was imported into {} before; --again imports all that it holds now, what "
        "came in before a second time",
        earlier.checkpoint_dir, request_.channel));
  }
  const ChannelCounts counts = channel_.counts();
  const std::uint64_t came_in = counts.put - std::min(counts.put, earlier.put_before);
  const bool is_untouched = gone_from(counts) == earlier.gone_before && came_in <= earlier.events;
  if (!is_untouched || !earlier.has_same_events_as(record_)) {
    return rejected(fmt::format(
        "an import into {} was cut short, and {} since: which events came in cannot be told any "
        "more. --again imports all of them; up to {} come a second time",
        request_.channel, is_untouched ? "Flume's folders have changed" : "the channel was used",
        std::min(came_in, earlier.events)));
  }
  record_ = earlier;
  say_(fmt::format("an import was cut short after {} events; it goes on behind them", came_in));
  return came_in;
}

Result<> FlumeImport::refuse_without_room(std::uint64_t already_in) const {
  const ChannelCounts counts = channel_.counts();
  const std::uint64_t in_channel = counts.in_channel + counts.held;
  const std::uint64_t wanted =
      contents_.events.size() - std::min<std::uint64_t>(already_in, contents_.events.size());
  if (in_channel + wanted <= channel_.capacity()) {
    return {};
  }
  return rejected(
      fmt::format("{} events come to {} that are in {}, whose capacity is {}: set its capacity to "
                  "at least {}",
                  wanted, in_channel, request_.channel, channel_.capacity(), in_channel + wanted));
}

Result<> FlumeImport::fill(std::uint64_t already_in) {
  batches_ = std::make_unique<FlumeBatches>(services_.files, *folders_, contents_.events,
                                            record_.batch_events, services_.slabs);
  while (const BatchPtr batch = TRY(batches_->next())) {
    if (imported_ + batch->size() > already_in) {
      if (imported_ < already_in) {
        say_(fmt::format("{} events of a batch that was cut off come in a second time",
                         already_in - imported_));
      }
      TRY(put(batch));
    }
    imported_ += batch->size();
    progress_(batches_->position(), contents_.events.size());
  }
  return {};
}

Result<> FlumeImport::put(const BatchPtr& batch) {
  for (;;) {
    auto answer = std::make_shared<std::promise<Result<>>>();
    std::future<Result<>> durable = answer->get_future();
    PutDone done = [answer](Result<> result) { answer->set_value(std::move(result)); };
    const PutStatus status = channel_.put(batch, done);
    if (status == PutStatus::kAccepted) {
      return durable.get();
    }
    auto room = std::make_shared<std::promise<void>>();
    std::future<void> has_room = room->get_future();
    if (status == PutStatus::kFull) {
      channel_.when_room([room] { room->set_value(); });
    }
    if (status != PutStatus::kFull || has_room.wait_for(kPatience) != std::future_status::ready) {
      const Result<> health = channel_.health();
      return transient(fmt::format("{} takes no more events: {}", request_.channel,
                                   health.ok() ? "it is full" : health.error().message()));
    }
  }
}

ImportCounts FlumeImport::counts() const {
  return {.found = contents_.found,
          .imported = imported_,
          .taken = contents_.taken,
          .uncommitted = contents_.uncommitted,
          .removed = batches_->removed(),
          .damaged = contents_.damages.size() + batches_->damages().size()};
}

void FlumeImport::say_damages(const std::vector<flume_log::Damage>& damages) const {
  constexpr std::size_t kMostNamed = 1000;
  for (std::size_t i = 0; i < std::min(damages.size(), kMostNamed); ++i) {
    const flume_log::Damage& damage = damages[i];
    say_(fmt::format("damaged: {} from byte {} up to {}: {}", damage.log.string(),
                     damage.from.offset, damage.to, damage.what));
  }
  if (damages.size() > kMostNamed) {
    say_(fmt::format("damaged: {} more", damages.size() - kMostNamed));
  }
}

}  // namespace millrace
