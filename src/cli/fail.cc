#include "cli/fail.h"

#include <fmt/core.h>

#include <cstdio>

#include "cli/cli.h"

namespace millrace {

int fail(std::string_view command, const Error& error) {
  fmt::print(stderr, "millrace {}: {}\n", command, error.message());
  return error.fault() == Fault::kConfig ? kBadConfiguration : kFailedAtWork;
}

}  // namespace millrace
