// `millrace channel show`: what is in a channel, and in its folders.
#include "base/clock.h"
#include "cli/channel/commands.h"
#include "cli/channel/report.h"
#include "cli/channel/summary_output.h"

namespace millrace {
namespace {

constexpr ReportCommand kShow{
    "channel show", "Tells what is in a channel, and in its folders.",
    "Counts are since the channel was made; what a sink holds back is in the channel. A segment "
    "is\nneeded while it may hold events of the channel; a recyclable one will be written over. "
    "Of a channel\nin use this is an instant just passed. Changes nothing, takes no lock."};

Result<ChannelReport> show(const ChosenChannel& channel, bool json) {
  const ChannelSummary summary = TRY(summarize(real_file_system(), channel));
  const std::int64_t now = SystemClock().wall_ms();
  return ChannelReport{json ? to_json(summary, now) : to_text(summary, now)};
}

}  // namespace

int run_channel_show(const CommandLine& line) {
  return run_report(kShow, line, show);
}

}  // namespace millrace
