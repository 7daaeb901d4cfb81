#include "io/open_file_limit.h"

#include <sys/resource.h>

#include <cerrno>

namespace millrace {

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

std::string how_to_allow_open_files(std::uint64_t number) {
  return "at least " + std::to_string(number) + " (LimitNOFILE=, ulimit -Hn)";
}

}  // namespace millrace
