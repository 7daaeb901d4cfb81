#include "cli/channel/report.h"

#include <fmt/core.h>

#include <cstdio>

namespace millrace {

int run_report(const ReportCommand& command, const CommandLine& line,
               const std::function<Result<ChannelReport>(const ChosenChannel&, bool)>& report_of) {
  ChannelArguments arguments;
  bool json = false;
  Options options(command.name, command.summary);
  describe_channels(options, arguments);
  options.flag("--json", json, "JSON on stdout: a list of channels.");
  options.footer(command.footer);
  if (const auto status = parse(options, arguments, line)) {
    return *status;
  }
  const auto channels = chosen_channels(arguments, line.java);
  if (!channels.ok()) {
    return fail(command.name, channels.error());
  }
  int status = kDone;
  std::string separator;
  fmt::print("{}", json ? "[" : "");
  for (const ChosenChannel& channel : *channels) {
    Result<ChannelReport> report = report_of(channel, json);
    if (!report.ok()) {
      std::fflush(stdout);
      fail(command.name, report.error());
      status = kFailedAtWork;
      continue;
    }
    fmt::print("{}{}", separator, report->text);
    separator = json ? ",\n" : "";
    status = report->is_good ? status : kFailedAtWork;
  }
  fmt::print("{}", json ? "]\n" : "");
  return status;
}

}  // namespace millrace
