// What the commands share that tell something of each channel, as text or as a list in JSON.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "cli/channel/chosen.h"
#include "cli/cli.h"

namespace millrace {

struct ReportCommand {
  const char* name;  // "channel show"
  const char* summary;
  const char* footer;
};

struct ChannelReport {
  std::string text;
  bool is_good = true;
};

// Prints what `report_of(channel, json)` gives for each channel that the line names. A channel of
// which nothing can be told is named on stderr, and the others go on. Gives the exit status: 1 when
// a report was not good, or there was none.
int run_report(const ReportCommand& command, const CommandLine& line,
               const std::function<Result<ChannelReport>(const ChosenChannel&, bool)>& report_of);

}  // namespace millrace
