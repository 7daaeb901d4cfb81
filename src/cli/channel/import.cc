// `millrace channel import`: drains a Flume file channel into one of ours.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "cli/channel/chosen.h"
#include "cli/channel/commands.h"
#include "cli/channel/flume_import.h"
#include "cli/configuration.h"
#include "cli/idle_services.h"
#include "cli/options.h"
#include "cli/progress.h"

namespace millrace {
namespace {

constexpr std::string_view kCommand = "channel import";
// The channel need not keep in memory what no sink takes.
constexpr std::size_t kMemoryShare = std::size_t{32} << 20;

struct ImportArguments {
  ChannelArguments channel;
  std::vector<std::string> flume;  // Its checkpoint dir, then its data dirs.
  bool again = false;
  bool accept_loss = false;
  bool quiet = false;
};

void describe(Options& options, ImportArguments& to) {
  options.several("--from-flume", to.flume, 2,
                  "Flume's checkpointDir, then all its dataDirs. Nothing in them is changed.");
  describe_channels(options, to.channel);
  options.flag("--again", to.again, "Import once more what was imported before: it comes twice.");
  options.flag("--accept-loss", to.accept_loss,
               "Import the rest though log files of Flume's are missing.");
  options.flag("--quiet", to.quiet, "No progress.");
  options.footer(
      "Stop Flume and the agent first. Events that Flume had not delivered are put into the "
      "channel, in\ntheir order. An import that is cut short goes on where it was when it is "
      "started again.\nPrints found = imported + taken (delivered by Flume) + uncommitted (never "
      "acknowledged) + removed\n(by Flume's fcintegritytool) + damaged. Exit status 1 when "
      "something is damaged or nothing was done.");
}

void say(const std::string& text) {
  fmt::print(stderr, "millrace {}: {}\n", kCommand, text);
}

// The bar is made when the first events are in: then it is known how many there are.
FlumeImport::Progress progress_display(bool wanted, std::optional<ProgressDisplay>& display) {
  return [wanted, &display](std::uint64_t done, std::uint64_t whole) {
    if (!display) {
      display.emplace(wanted, whole, std::chrono::steady_clock::now());
    }
    display->show(done, std::chrono::steady_clock::now());
    if (done == whole) {
      display->end(done, std::chrono::steady_clock::now());
    }
  };
}

int import(const ImportArguments& arguments, const ChosenChannel& channel, const JavaFlags& java) {
  IdleServices idle(memory_budget(java).bytes);
  std::optional<ProgressDisplay> display;
  FlumeImport import({.checkpoint_dir = arguments.flume.front(),
                      .data_dirs = {arguments.flume.begin() + 1, arguments.flume.end()},
                      .channel = "channel " + channel.name,
                      .config = channel.config,
                      .again = arguments.again,
                      .accept_loss = arguments.accept_loss},
                     {channel.name, idle.services, idle.metrics.group("CHANNEL", channel.name),
                      std::min(kMemoryShare, idle.budget.limit() / 2)},
                     say, progress_display(!arguments.quiet, display));
  const Result<ImportCounts> done = import.run();
  if (!done.ok()) {
    return fail(kCommand, done.error());
  }
  const ImportCounts& counts = done.value();
  fmt::print("found={} imported={} taken={} uncommitted={} removed={} damaged={}\n", counts.found,
             counts.imported, counts.taken, counts.uncommitted, counts.removed, counts.damaged);
  return counts.damaged == 0 ? kDone : kFailedAtWork;
}

}  // namespace

int run_channel_import(const CommandLine& line) {
  ImportArguments arguments;
  Options options("channel import", "Moves what is in a Flume file channel into one of ours.");
  describe(options, arguments);
  if (const auto status = parse(options, arguments.channel, line)) {
    return *status;
  }
  if (arguments.flume.empty()) {
    return options.refuse("which folders? --from-flume CHECKPOINT_DIR DATA_DIR...");
  }
  if (arguments.channel.files.empty() && arguments.channel.checkpoint_dir.empty()) {
    return options.refuse("--checkpoint-dir of our channel is needed too");
  }
  const Result<ChosenChannel> channel = chosen_channel(arguments.channel, line.java);
  return channel.ok() ? import(arguments, channel.value(), line.java)
                      : fail(kCommand, channel.error());
}

}  // namespace millrace
