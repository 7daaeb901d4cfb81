#include "io/command_output.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/aead.h"
#include "io/child_process.h"

namespace millrace {
namespace {

constexpr std::size_t kMostSaid = 4096;  // Bytes of the error output that are kept.

// Takes what is there now, up to `most` bytes in all. False at the end of the pipe.
bool read_some(int descriptor, std::string& into, std::size_t most) {
  std::string bytes(4096, '\0');
  const ssize_t got = ::read(descriptor, bytes.data(), bytes.size());
  if (got > 0) {
    into.append(bytes, 0, std::min(static_cast<std::size_t>(got), most - into.size()));
  }
  wipe(bytes);
  return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

std::string last_line(std::string_view text) {
  while (text.ends_with('\n')) {
    text.remove_suffix(1);
  }
  return std::string(text.substr(text.rfind('\n') + 1));
}

// False when the deadline comes first.
bool read_until_end(ChildProcess& child, SteadyTime deadline, std::string& printed,
                    std::size_t most_bytes, std::string& said) {
  while (child.output() || child.errors()) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    pollfd waiting[] = {{child.output().get(), POLLIN, 0}, {child.errors().get(), POLLIN, 0}};
    if (left.count() <= 0 || ::poll(waiting, 2, static_cast<int>(left.count())) == 0) {
      return false;
    }
    if (waiting[0].revents != 0 && !read_some(child.output().get(), printed, most_bytes)) {
      child.close_output();
    }
    if (waiting[1].revents != 0 && !read_some(child.errors().get(), said, kMostSaid)) {
      child.close_errors();
    }
  }
  return true;
}

}  // namespace

Result<std::string> command_output(const std::vector<std::string>& arguments,
                                   std::chrono::milliseconds patience, std::size_t most_bytes) {
  const SteadyTime deadline = std::chrono::steady_clock::now() + patience;
  ChildProcess child = TRY(ChildProcess::start(arguments));
  std::string printed;
  printed.reserve(most_bytes + 1);  // Growing would leave copies behind.
  std::string said;
  std::optional<ChildExit> exit;
  if (read_until_end(child, deadline, printed, most_bytes + 1, said)) {
    exit = child.reap(deadline);
  }
  if (exit && exit->good() && printed.size() <= most_bytes) {
    return printed;
  }
  wipe(printed);
  const std::string name = "\"" + arguments[0] + "\" ";
  if (!exit) {
    return transient(name + "has not ended after " + std::to_string(patience.count()) + " ms");
  }
  if (exit->good()) {
    return transient(name + "prints more than " + std::to_string(most_bytes) + " bytes");
  }
  return transient(name + exit->to_string() + (said.empty() ? "" : ": " + last_line(said)));
}

}  // namespace millrace
