#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "cli/cli.h"
#include "cli/time_zone.h"
#include "config/nearest_name.h"

namespace millrace {
namespace {

constexpr std::array kCommands{
    Command{"agent", "Run an agent of a Flume configuration.", run_agent},
    Command{"check", "Say what is wrong in a configuration and what it would do.", run_check},
    Command{"test", "Run the unit tests that stand in a configuration.", run_test},
    Command{"hammer", "Send numbered events, to measure and to prove that none is lost.",
            run_hammer},
    Command{"verify", "Read files back and report what was lost, doubled or sent again.",
            run_verify},
    Command{"channel", "Look into file channels, stopped or in use.", run_channel},
    Command{"dead-letter", "Count, print or send again what sinks could not deliver.",
            run_dead_letter},
    Command{"fs", "List, read, write and mend files of HDFS, or of this machine.", run_fs},
    Command{"tool", "Tools of Flume under their names: fcintegritytool.", run_tool},
    Command{"components", "List what an agent can be made of, or the keys of one.", run_components},
    Command{"schema", "Print the keys of components as a JSON schema.", run_schema},
    Command{"completion", "Print a completion script for bash, zsh or fish.", run_completion},
    Command{"help", "This overview; `help COMMAND` for one command.", run_help},
    Command{"version", "The version of this program.", run_version},
    Command{"node", "", run_node},
};

const Command* find_command(std::string_view name) {
  const auto found = std::find_if(kCommands.begin(), kCommands.end(),
                                  [&](const Command& command) { return command.name == name; });
  return found == kCommands.end() ? nullptr : found;
}

// Commands of Flume, and of this program's plan, that are still to come.
constexpr auto kToCome = std::to_array<std::string_view>(
    {"avro-client", "run", "convert", "generate", "validate", "top", "tap", "dataflow"});

int refuse_unknown(std::string_view name) {
  if (name.starts_with('-')) {
    fmt::print(stderr,
               "millrace: {} stands before a command: millrace COMMAND [OPTIONS]\n"
               "See `millrace help`.\n",
               name);
    return kBadUsage;
  }
  if (std::find(kToCome.begin(), kToCome.end(), name) != kToCome.end()) {
    fmt::print(stderr, "millrace: \"{}\" is not built in yet\n", name);
    return kFailedAtWork;
  }
  std::vector<std::string_view> names;
  for (const Command& command : kCommands) {
    names.push_back(command.name);
  }
  const std::string hint = did_you_mean(nearest_name(name, names));
  fmt::print(stderr, "millrace: there is no command \"{}\"{}{}\nSee `millrace help`.\n", name,
             hint.empty() ? "" : "; ", hint);
  return kBadUsage;
}

std::string_view without_dashes(std::string_view name) {
  if (name == "--help" || name == "-h") {
    return "help";
  }
  return name == "--version" || name == "-V" ? "version" : name;
}

// A command has done its work only when what it printed has arrived.
int with_output_written(int status) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) {
    return status;
  }
  fmt::print(stderr, "millrace: not all of the output could be written\n");
  return status == kDone ? kFailedAtWork : status;
}

int run_command(const std::vector<std::string>& arguments) {
  if (arguments.empty()) {
    run_help({});
    return kBadUsage;
  }
  CommandLine line;
  line.arguments.assign(arguments.begin() + 1, arguments.end());
  Result<JavaFlags> java = take_java_flags(line.arguments);
  if (!java.ok()) {
    fmt::print(stderr, "millrace: {}\n", java.error().message());
    return kBadUsage;
  }
  line.java = std::move(java).value();
  if (const Result<> zone = use_time_zone(line.java); !zone.ok()) {
    fmt::print(stderr, "millrace: {}\n", zone.error().message());
    return kBadUsage;
  }
  const Command* command = find_command(without_dashes(arguments.front()));
  return command == nullptr ? refuse_unknown(arguments.front()) : command->run(line);
}

}  // namespace

std::span<const Command> commands() {
  return kCommands;
}

int run_program(const std::vector<std::string>& arguments) {
  return with_output_written(run_command(arguments));
}

}  // namespace millrace
