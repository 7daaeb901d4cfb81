#include "io/open_file_limit.h"

#include <sys/eventfd.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>

#include "io/descriptor.h"

namespace millrace {
namespace {

constexpr std::uint64_t kReserve = 64;  // At most an eighth of the limit.

}  // namespace

Result<std::uint64_t> raise_open_file_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) {
    return system_error("reading the limit of open files", errno);
  }
  if (limit.rlim_cur < limit.rlim_max) {
    limit.rlim_cur = limit.rlim_max;
    if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) {
      return system_error("raising the limit of open files", errno);
    }
  }
  return static_cast<std::uint64_t>(limit.rlim_cur);
}

std::uint64_t open_file_limit() {
  rlimit limit{};
  return ::getrlimit(RLIMIT_NOFILE, &limit) == 0 ? static_cast<std::uint64_t>(limit.rlim_cur) : 0;
}

// The kernel gives the lowest number that is free.
bool few_open_files_left() {
  const std::uint64_t limit = open_file_limit();
  const Descriptor next(::eventfd(0, EFD_CLOEXEC));
  return !next || static_cast<std::uint64_t>(next.get()) + std::min(kReserve, limit / 8) >= limit;
}

std::string how_to_allow_open_files(std::uint64_t number) {
  return "at least " + std::to_string(number) + " (LimitNOFILE=, ulimit -Hn)";
}

}  // namespace millrace
