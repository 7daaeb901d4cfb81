#include "cli/tool/fcintegritytool.h"

#include <fmt/core.h>

#include <cstdio>
#include <optional>

#include "channel/file/damage_removal.h"
#include "cli/channel/check_output.h"
#include "cli/channel/chosen.h"
#include "cli/options.h"
#include "cli/progress.h"

namespace millrace {
namespace {

constexpr const char* kName = "tool fcintegritytool";

// Flume's six lines (Flume 1.11, FileChannelIntegrityTool). No validator of Flume's can run here:
// nothing is invalid, and none throws.
void print_summary(const file_channel::DamageRemoval& removal) {
  const std::uint64_t whole = removal.check.tally.whole.count();
  fmt::print(
      "---------- Summary --------------------\n"
      "Number of Events in the Channel = {}\n"
      "Number of Put Events Processed = {}\n"
      "Number of Valid Put Events = {}\n"
      "Number of Invalid Put Events = 0\n"
      "Number of Put Events that threw Exception during validation = 0\n"
      "Number of Corrupt Events = {}\n"
      "---------------------------------------\n",
      removal.view.log.events.live.count(), whole, whole, removal.given_up.count());
}

int check_and_mend(const ChosenChannel& channel) {
  std::optional<ProgressDisplay> display;
  const auto progress = [&](std::uint64_t done, std::uint64_t whole) {
    if (!display) {
      display.emplace(whole, ProgressUnit::kBytes);
    }
    display->show(done);
  };
  Result<file_channel::DamageRemoval> removal =
      file_channel::remove_damage(real_file_system(), channel.folders, progress);
  if (display && removal.ok()) {
    display->end(removal->check.tally.bytes);
  }
  if (!removal.ok()) {
    return fail(kName, removal.error());
  }
  fmt::print("{}", to_text(channel.name, removal->view, removal->check));
  print_summary(*removal);
  return kDone;
}

}  // namespace

int run_fcintegritytool(const CommandLine& line) {
  ChannelArguments channels;
  std::string validator;
  Options options(kName, "Checks a stopped file channel and takes out what is damaged.");
  options.text("-l,--dataDirs", channels.data_dirs,
               "The channel's dataDirs, all of them: \"A,B\".");
  options.text("-e,--eventValidator", validator, "A Java class; refused, there is no JVM.");
  describe_agents_channels(options, channels);
  options.footer(
      "By -l, as Flume's, or by the agent's configuration, which names the keys of an encrypted "
      "channel\ntoo. Damaged bytes are copied to the folder quarantine of their data dir, segments "
      "without a header\nare renamed to *.damaged, and the events that cannot be read are "
      "acknowledged and counted as\ndropped: the next start finds nothing wrong. To look without "
      "changing anything: `millrace channel verify`.");
  if (const auto status = options.parse(line)) {
    return *status;
  }
  if (!validator.empty()) {
    return options.refuse(
        "-e " + validator +
        ": there is no JVM that could run it; `millrace channel export` gives the events to a "
        "program of yours");
  }
  if (channels.data_dirs.empty() && channels.files.empty()) {
    return options.refuse(
        "dataDirs is required: -l DIR,DIR, or --config FILE for those of its channel");
  }
  if (const auto status = refuse_mixture(options, channels)) {
    return *status;
  }
  const Result<ChosenChannel> channel = chosen_channel(channels, line.java);
  return channel.ok() ? check_and_mend(*channel) : fail(kName, channel.error());
}

}  // namespace millrace
