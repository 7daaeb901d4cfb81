// The flags of `millrace agent`: those of flume-ng agent, and ours.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/log.h"
#include "base/result.h"
#include "cli/cli.h"
#include "web/monitoring.h"

namespace millrace {

struct AgentOptions {
  std::string name;
  std::vector<std::string> files;  // In order; a later one overrides.
  std::chrono::milliseconds drain{};
  std::optional<MonitoringSettings> monitoring;  // None: no pages.
  LogLevel log_level = LogLevel::kInfo;
  std::vector<std::string> notes;  // Flags that were taken without effect, for the log.
};

// Parses the flags behind `agent`, and what the -D properties ask of the agent itself. Either the
// options, or in `status` what to exit with after it was said why.
std::optional<AgentOptions> parse_agent_options(const CommandLine& line, int& status);

// "ADDR:PORT", ":PORT" or "PORT", with "[::1]:PORT" for IPv6; an absent address is loopback.
Result<MonitoringSettings> parse_http_address(const std::string& text);

}  // namespace millrace
