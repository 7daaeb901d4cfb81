// `millrace version`.
#include <fmt/core.h>

#include "cli/cli.h"
#include "cli/options.h"

namespace millrace {
int run_version(const CommandLine& line) {
  Options options("version", "Prints the version of this program.");
  if (const auto status = options.parse(line)) {
    return *status;
  }
  fmt::print("Millrace {}\nBuilt with GCC {}\n", kVersion, __VERSION__);
  return kDone;
}

}  // namespace millrace
