#include "cli/subcommands.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>

#include "config/nearest_name.h"

namespace millrace {
namespace {

void print_overview(std::string_view parent, std::string_view about,
                    std::span<const Command> commands) {
  std::size_t width = 0;
  for (const Command& command : commands) {
    width = std::max(width, command.name.size());
  }
  fmt::print("{}\n\nUsage: millrace {} COMMAND [OPTIONS]\n\nCommands:\n", about, parent);
  for (const Command& command : commands) {
    fmt::print("  {:<{}}  {}\n", command.name, width, command.summary);
  }
  fmt::print("\nSee `millrace {} COMMAND --help`.\n", parent);
}

int refuse_unknown(std::string_view parent, std::span<const Command> commands,
                   std::string_view name) {
  std::vector<std::string_view> names;
  for (const Command& command : commands) {
    names.push_back(command.name);
  }
  const std::string hint = did_you_mean(nearest_name(name, names));
  fmt::print(stderr,
             "millrace {0}: there is no command \"{1}\"{2}{3}\nSee `millrace {0} --help`.\n",
             parent, name, hint.empty() ? "" : "; ", hint);
  return kBadUsage;
}

}  // namespace

std::vector<CommandDescription> describe_commands(std::span<const Command> commands) {
  std::vector<CommandDescription> all;
  for (const Command& command : commands) {
    if (!command.summary.empty()) {
      CommandLine line;
      line.describe = &all.emplace_back();
      command.run(line);
      all.back().brief = command.summary;
    }
  }
  return all;
}

int run_subcommand(std::string_view parent, std::string_view about,
                   std::span<const Command> commands, const CommandLine& line) {
  if (line.describe != nullptr) {
    *line.describe = {.name = std::string(parent), .summary = std::string(about)};
    line.describe->commands = describe_commands(commands);
    return kDone;
  }
  const std::string name = line.arguments.empty() ? "" : line.arguments.front();
  if (name.empty() || name == "--help" || name == "-h") {
    print_overview(parent, about, commands);
    return name.empty() ? kBadUsage : kDone;
  }
  const auto found = std::find_if(commands.begin(), commands.end(),
                                  [&](const Command& command) { return command.name == name; });
  if (found == commands.end()) {
    return refuse_unknown(parent, commands, name);
  }
  CommandLine rest = line;
  rest.arguments.erase(rest.arguments.begin());
  return found->run(rest);
}

}  // namespace millrace
