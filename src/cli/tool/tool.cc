// `millrace tool`: what `flume-ng tool` runs, by the same names.
#include <algorithm>
#include <array>
#include <cctype>

#include "cli/subcommands.h"
#include "cli/tool/fcintegritytool.h"

namespace millrace {
namespace {

constexpr std::array kTools{
    Command{"fcintegritytool", "Check a stopped file channel and take out what is damaged.",
            run_fcintegritytool},
};

}  // namespace

// Names in any case, as Flume takes them.
int run_tool(const CommandLine& line) {
  CommandLine lower = line;
  if (!lower.arguments.empty()) {
    std::string& name = lower.arguments.front();
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  }
  return run_subcommand("tool", "Tools of Flume under their names.", kTools, lower);
}

}  // namespace millrace
