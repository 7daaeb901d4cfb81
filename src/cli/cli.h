// The commands of the program: what each one is given and what it gives back.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/java_flags.h"

namespace millrace {

inline constexpr std::string_view kVersion = "0.1.0";

// Exit status of every command. 78 is EX_CONFIG of sysexits.h.
inline constexpr int kDone = 0;
inline constexpr int kFailedAtWork = 1;
inline constexpr int kBadUsage = 2;
inline constexpr int kBadConfiguration = 78;

struct CommandDescription;

// What stands behind the command's name, with what was meant for a JVM taken out.
struct CommandLine {
  std::vector<std::string> arguments;
  JavaFlags java;
  CommandDescription* describe = nullptr;  // Where to say what the command takes: all it does then.
};

struct Command {
  std::string_view name;
  std::string_view summary;  // A line for the overview; empty: not shown there.
  int (*run)(const CommandLine& line);
};

// In the order of the overview.
std::span<const Command> commands();

// Runs the command that `arguments` (argv without the program's name) begin with; the exit status.
// Messages for the user go to stderr, results to stdout.
int run_program(const std::vector<std::string>& arguments);

// One function a command, each in the file of its name.
int run_agent(const CommandLine& line);
int run_node(const CommandLine& line);
int run_check(const CommandLine& line);
int run_test(const CommandLine& line);
int run_hammer(const CommandLine& line);
int run_verify(const CommandLine& line);
int run_channel(const CommandLine& line);
int run_dead_letter(const CommandLine& line);
int run_fs(const CommandLine& line);
int run_tool(const CommandLine& line);
int run_components(const CommandLine& line);
int run_schema(const CommandLine& line);
int run_completion(const CommandLine& line);
int run_help(const CommandLine& line);
int run_version(const CommandLine& line);

}  // namespace millrace
