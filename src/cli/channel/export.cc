// `millrace channel export`: the events of a channel, as JSON lines or as an Avro file.
#include <fmt/core.h>

#include <cstdio>

#include "cli/channel/chosen.h"
#include "cli/channel/commands.h"
#include "cli/channel/event_walk.h"
#include "cli/channel/summary_output.h"
#include "cli/words.h"

namespace millrace {
namespace {

using file_channel::ChannelView;
using file_channel::SegmentContents;

struct ExportOptions {
  ChannelArguments channel;
  std::string format = "json";
  std::string out;
  bool all = false;
};

Result<std::unique_ptr<EventOutput>> open_output(const ExportOptions& options) {
  OutputTarget target = TRY(OutputTarget::open(real_file_system(), options.out));
  if (options.format == "json") {
    return json_output(std::move(target));
  }
  return avro_output(std::move(target));
}

void report(const ChosenChannel& channel, const ChannelView& view, const WalkCounts& counts) {
  fmt::print(stderr, "channel {}: {}: exported {}{}\n{}", channel.name, state_text(view),
             counted(counts.found.count(), "event"),
             counts.found.empty() ? "" : ", numbers " + ranges_text(counts.found),
             view.has_damaged_checkpoint() ? checkpoint_troubles(view) : "");
  if (!counts.damaged.empty()) {
    fmt::print(stderr, "{} left out: `millrace channel verify` says where\n",
               counted(counts.damaged.count(), "damaged event"));
  }
}

// Whether every event that was wanted is in the output.
Result<bool> export_events(const ExportOptions& options, const JavaFlags& java) {
  const ChosenChannel channel = TRY(chosen_channel(options.channel, java));
  FileSystem& files = real_file_system();
  const ChannelView view = TRY(file_channel::view_channel(files, channel.folders));
  const std::unique_ptr<EventOutput> output = TRY(open_output(options));
  const WalkCounts counts = TRY(walk_events(
      files, view,
      [&](const SegmentContents& segment) { return options.all || view.holds_events(segment); },
      [&](file_channel::EventNumber number, std::int64_t) {
        return options.all || view.log.events.live.contains(number);
      },
      [&](const ChannelEvent& event) { return output->write(event); }));
  TRY(output->finish());
  report(channel, view, counts);
  return counts.damaged.empty();
}

}  // namespace

int run_channel_export(const CommandLine& line) {
  ExportOptions arguments;
  Options options("channel export", "Writes the events of a channel out, and leaves them in it.");
  describe_channels(options, arguments.channel);
  options.choice("--format", arguments.format, {"json", "avro"},
                 "json: a line an event; avro: a container file of Flume's event schema.");
  options.text("--out", arguments.out, "File, written beside and renamed; without, stdout.");
  options.flag("--all", arguments.all, "All that is still on disk, delivered ones too.");
  options.footer(
      "In the order of their numbers. Exit status 1 when a damaged event had to be left out. "
      "Changes\nnothing in the channel, takes no lock.");
  if (const auto status = parse(options, arguments.channel, line)) {
    return *status;
  }
  const Result<bool> whole = export_events(arguments, line.java);
  if (!whole.ok()) {
    return fail("channel export", whole.error());
  }
  return *whole ? kDone : kFailedAtWork;
}

}  // namespace millrace
