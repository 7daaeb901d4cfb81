// `millrace help`: the overview, and how the four commands that look for faults differ.
#include <fmt/core.h>

#include <algorithm>

#include "cli/cli.h"

namespace millrace {
namespace {

constexpr std::string_view kUsage =
    "Collects events at high rate and lands them in storage, none lost.\n"
    "\n"
    "Usage: millrace COMMAND [OPTIONS]\n"
    "\n"
    "Commands:\n";

constexpr std::string_view kDifferences =
    "\n"
    "Four commands look for faults, each in another place:\n"
    "  check           reads a configuration file, runs nothing: what is wrong in it, what it "
    "would do\n"
    "  verify          reads the files that sinks wrote: is every number of a hammer there, and "
    "once\n"
    "  channel verify  reads the files of a file channel: checksums, what waits there, what is "
    "damaged\n"
    "  validate        reads the output of a dataflow: is every generated record there, and once\n"
    "(validate is not built in yet.)\n"
    "\n"
    "Exit status: 0 done, 1 failed at work, 2 bad usage, 78 bad configuration.\n";

void print_overview() {
  std::size_t width = 0;
  for (const Command& command : commands()) {
    width = std::max(width, command.name.size());
  }
  fmt::print("{}", kUsage);
  for (const Command& command : commands()) {
    if (!command.summary.empty()) {
      fmt::print("  {:<{}}  {}\n", command.name, width, command.summary);
    }
  }
  fmt::print("{}", kDifferences);
}

}  // namespace

int run_help(const CommandLine& line) {
  if (line.arguments.size() > 1) {
    fmt::print(stderr, "millrace help: one COMMAND at a time\n");
    return kBadUsage;
  }
  if (line.arguments.empty() || line.arguments.front() == "help" ||
      line.arguments.front().starts_with('-')) {
    print_overview();
    return kDone;
  }
  return run_program({line.arguments.front(), "--help"});
}

}  // namespace millrace
