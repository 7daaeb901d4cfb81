// `millrace version`.
#include <fmt/core.h>

#include "cli/cli.h"
#include "cli/options.h"

namespace millrace {
namespace {

constexpr std::string_view kVersion = "0.1.0";

}  // namespace

int run_version(const CommandLine& line) {
  Options options("version", "Prints the version of this program.");
  if (const auto status = options.parse(line.arguments)) {
    return *status;
  }
  fmt::print("Millrace {}\nBuilt with GCC {}\n", kVersion, __VERSION__);
  return kDone;
}

}  // namespace millrace
