// `millrace channel verify`: reads a channel whole and checks every checksum.
#include "channel/file/channel_check.h"
#include "cli/channel/check_output.h"
#include "cli/channel/commands.h"
#include "cli/channel/report.h"
#include "cli/progress.h"

namespace millrace {
namespace {

constexpr ReportCommand kVerify{
    "channel verify", "Reads a channel whole and checks every checksum.",
    "Exit status 1 when something is damaged or missing. What a crash cut off before it was "
    "acknowledged,\nor an agent is writing just now, is told and is no damage. Changes nothing, "
    "takes no lock."};

Result<ChannelReport> verify(const ChosenChannel& channel, bool json) {
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
  return ChannelReport{
      json ? to_json(channel.name, view, check) : to_text(channel.name, view, check),
      check.is_clean()};
}

}  // namespace

int run_channel_verify(const CommandLine& line) {
  return run_report(kVerify, line, verify);
}

}  // namespace millrace
