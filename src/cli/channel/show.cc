// `millrace channel show`: what is in a channel, and in its folders.
#include <fmt/core.h>

#include <cstdio>

#include "base/clock.h"
#include "cli/channel/commands.h"
#include "cli/channel/summary_output.h"

namespace millrace {
namespace {

int show(const std::vector<ChosenChannel>& channels, bool json) {
  int status = kDone;
  std::string separator;
  fmt::print("{}", json ? "[" : "");
  for (const ChosenChannel& channel : channels) {
    const Result<ChannelSummary> summary = summarize(real_file_system(), channel);
    if (!summary.ok()) {
      std::fflush(stdout);
      status = fail("channel show", summary.error());
      continue;
    }
    const std::int64_t now = SystemClock().wall_ms();
    fmt::print("{}{}", separator, json ? to_json(*summary, now) : to_text(*summary, now));
    separator = json ? ",\n" : "";
  }
  fmt::print("{}", json ? "]\n" : "");
  return status == kDone ? kDone : kFailedAtWork;
}

}  // namespace

int run_channel_show(const CommandLine& line) {
  ChannelArguments arguments;
  bool json = false;
  Options options("channel show", "Tells what is in a channel, and in its folders.");
  describe_channels(options, arguments);
  options.flag("--json", json, "JSON on stdout: a list of channels.");
  options.footer(
      "Counts are since the channel was made; what a sink holds back is in the channel. A segment "
      "is\nneeded while it may hold events of the channel; a recyclable one will be written over. "
      "Of a channel\nin use this is an instant just passed. Changes nothing, takes no lock.");
  if (const auto status = parse(options, arguments, line.arguments)) {
    return *status;
  }
  const auto channels = chosen_channels(arguments, line.java);
  return channels.ok() ? show(*channels, json) : fail("channel show", channels.error());
}

}  // namespace millrace
