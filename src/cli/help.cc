// `millrace help`: the overview, and how the five commands that look for faults differ.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>

#include "cli/cli.h"
#include "cli/man_page.h"
#include "cli/options.h"
#include "cli/page_files.h"
#include "cli/subcommands.h"

namespace millrace {
namespace {

constexpr std::string_view kAbout =
    "Collects events at high rate and lands them in storage, none lost.";

constexpr std::string_view kDifferences =
    "Five commands look for faults, each in another place:\n"
    "  check           reads a configuration file, runs nothing: what is wrong in it, what it "
    "would do\n"
    "  test            runs the tests in it: do a source's events come to its channels as "
    "expected\n"
    "  verify          reads the files that sinks wrote: is every number of a hammer there, and "
    "once\n"
    "  channel verify  reads the files of a file channel: checksums, what waits there, what is "
    "damaged\n"
    "  validate        reads the output of a dataflow: is every generated record there, and once\n"
    "(validate is not built in yet.)\n";

void print_overview() {
  std::size_t width = 0;
  for (const Command& command : commands()) {
    width = std::max(width, command.name.size());
  }
  fmt::print("{}\n\nUsage: millrace COMMAND [OPTIONS]\n\nCommands:\n", kAbout);
  for (const Command& command : commands()) {
    if (!command.summary.empty()) {
      fmt::print("  {:<{}}  {}\n", command.name, width, command.summary);
    }
  }
  fmt::print("\n{}\nExit status: 0 done, 1 failed at work, 2 bad usage, 78 bad configuration.\n",
             kDifferences);
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const Command& command : commands()) {
    if (!command.summary.empty()) {
      names.emplace_back(command.name);
    }
  }
  return names;
}

// The command of this whole name, "channel show", at or below `at`.
const CommandDescription* find(const CommandDescription& at, const std::string& name) {
  if (at.name == name) {
    return &at;
  }
  for (const CommandDescription& below : at.commands) {
    if (const CommandDescription* const found = find(below, name)) {
      return found;
    }
  }
  return nullptr;
}

Result<> write_man_pages(const std::filesystem::path& folder) {
  const CommandDescription program = describe_program();
  std::map<std::string, std::string> pages;
  for_each_command(program, [&](const CommandDescription& command) {
    pages[man_page_name(command) + ".1"] = man_page(command, program);
  });
  return write_pages(folder, pages);
}

// The page of one command, or all of them as files of `folder`.
int print_man(const Options& options, const std::string& name, const std::string& folder) {
  if (!folder.empty()) {
    const Result<> written = write_man_pages(folder);
    if (!written.ok()) {
      fmt::print(stderr, "millrace help: {}\n", written.error().message());
    }
    return written.ok() ? kDone : kFailedAtWork;
  }
  const CommandDescription program = describe_program();
  const CommandDescription* const command = find(program, name);
  if (command == nullptr) {
    return options.refuse("there is no command \"" + name + "\"");
  }
  fmt::print("{}", man_page(*command, program));
  return kDone;
}

}  // namespace

CommandDescription describe_program() {
  return {.brief = std::string(kAbout),
          .summary = std::string(kAbout),
          .footer = std::string(kDifferences),
          .commands = describe_commands(commands())};
}

int run_help(const CommandLine& line) {
  std::vector<std::string> words;
  bool is_man = false;
  std::string folder;
  Options options("help", "Prints what commands there are, or how one is used.");
  options.rest("COMMAND", words, 0, "The one to tell of: `check`, `channel show`.");
  options.rest_words(command_names());
  options.flag("--man", is_man, "The page for man(1), as roff.");
  options.text("--into", folder, "With --man: folder to write the pages of all commands into.");
  if (const auto status = options.parse(line)) {
    return *status;
  }
  if (!folder.empty() && (!is_man || !words.empty())) {
    return options.refuse("--into goes with --man alone");
  }
  const std::string name = fmt::format("{}", fmt::join(words, " "));
  if (is_man) {
    return print_man(options, name, folder);
  }
  if (words.size() > 1 && find(describe_program(), name) == nullptr) {
    return options.refuse("one COMMAND at a time");
  }
  if (words.empty()) {
    print_overview();
    return kDone;
  }
  words.emplace_back("--help");
  return run_program(words);
}

}  // namespace millrace
