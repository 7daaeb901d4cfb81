// `millrace channel verify`: reads a channel whole and checks every checksum.
#include <fmt/core.h>

#include <cstdio>

#include "channel/file/channel_check.h"
#include "cli/channel/check_output.h"
#include "cli/channel/chosen.h"
#include "cli/channel/commands.h"
#include "cli/progress.h"

namespace millrace {
namespace {

// Prints what was found; whether all is clean.
Result<bool> verify(const ChosenChannel& channel, bool json) {
  FileSystem& files = real_file_system();
  const file_channel::ChannelView view = TRY(file_channel::view_channel(files, channel.folders));
  std::optional<ProgressDisplay> display;
  std::uint64_t bytes = 0;
  const auto progress = [&](std::uint64_t done, std::uint64_t whole) {
    if (!display) {
      display.emplace(whole, ProgressUnit::kBytes);
    }
    bytes = done;
    display->show(done);
  };
  const file_channel::ChannelCheck check =
      TRY(file_channel::check_channel(files, channel.folders, view, progress));
  if (display) {
    display->end(bytes);
  }
  fmt::print("{}", json ? to_json(channel.name, view, check) : to_text(channel.name, view, check));
  return check.is_clean();
}

int verify_all(const std::vector<ChosenChannel>& channels, bool json) {
  bool all_clean = true;
  std::string separator;
  fmt::print("{}", json ? "[" : "");
  for (const ChosenChannel& channel : channels) {
    fmt::print("{}", separator);
    const Result<bool> clean = verify(channel, json);
    if (!clean.ok()) {
      std::fflush(stdout);
      fail("channel verify", clean.error());
    }
    all_clean = all_clean && clean.ok() && *clean;
    separator = json ? ",\n" : "";
  }
  fmt::print("{}", json ? "]\n" : "");
  return all_clean ? kDone : kFailedAtWork;
}

}  // namespace

int run_channel_verify(const CommandLine& line) {
  ChannelArguments arguments;
  bool json = false;
  Options options("channel verify", "Reads a channel whole and checks every checksum.");
  describe_channels(options, arguments);
  options.flag("--json", json, "JSON on stdout: a list of channels.");
  options.footer(
      "Exit status 1 when something is damaged or missing. What a crash cut off before it was "
      "acknowledged,\nor an agent is writing just now, is told and is no damage. Changes nothing, "
      "takes no lock.");
  if (const auto status = parse(options, arguments, line.arguments)) {
    return *status;
  }
  const auto channels = chosen_channels(arguments, line.java);
  return channels.ok() ? verify_all(*channels, json) : fail("channel verify", channels.error());
}

}  // namespace millrace
