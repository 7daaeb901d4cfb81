#include "io/child_process.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstring>
#include <thread>
#include <utility>

namespace millrace {
namespace {

constexpr int kPipeBytes = 1 << 20;  // What an unprivileged process may ask for.
constexpr std::chrono::milliseconds kReapCheck{1};

struct Pipe {
  Descriptor read;
  Descriptor write;
};

Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return system_error("pipe", errno);
  }
  Pipe made{Descriptor(ends[0]), Descriptor(ends[1])};
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  ::fcntl(ends[0], F_SETPIPE_SZ, kPipeBytes);  // Works with the default size too.
  return made;
}

// What the child needs, made ready beforehand: it shares the parent's memory until it executes.
struct Launch {
  char* const* arguments;
  int input;
  int output;
  int errors;
  pid_t parent;
  volatile int error = 0;  // errno of what failed in the child.
};

// Runs in the child. System calls only.
[[noreturn]] void execute(Launch& launch) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  ::signal(SIGINT, SIG_DFL);
  ::signal(SIGTERM, SIG_DFL);
  const bool alive = ::getppid() == launch.parent;  // Else the parent died before the prctl().
  if (alive && ::dup2(launch.input, 0) == 0 && ::dup2(launch.output, 1) == 1 &&
      ::dup2(launch.errors, 2) == 2) {
    ::syscall(SYS_close_range, 3, UINT_MAX, 0);
    ::execvp(launch.arguments[0], launch.arguments);
  }
  launch.error = errno;
  ::_exit(127);
}

// vfork() rather than fork(): the cost does not grow with the agent's memory.
__attribute__((noinline)) pid_t launch_child(Launch& launch) {
  const pid_t id = ::vfork();
  if (id == 0) {
    execute(launch);  // NOLINT(clang-analyzer-unix.Vfork): it does not come back.
  }
  return id;
}

}  // namespace

std::string ChildExit::to_string() const {
  return by_signal ? fmt::format("was killed by signal {} ({})", number, strsignal(number))
                   : fmt::format("exited with status {}", number);
}

Result<ChildProcess> ChildProcess::start(const std::vector<std::string>& arguments) {
  std::vector<std::string> words = arguments;
  std::vector<char*> pointers;
  for (std::string& word : words) {
    pointers.push_back(word.data());
  }
  pointers.push_back(nullptr);
  Pipe output = TRY(make_pipe());
  Pipe errors = TRY(make_pipe());
  const Descriptor input(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  Launch launch{pointers.data(), input.get(), output.write.get(), errors.write.get(), ::getpid()};
  const pid_t id = launch_child(launch);
  if (id < 0) {
    return system_error("starting \"" + arguments[0] + "\"", errno);
  }
  ChildProcess child(id, std::move(output.read), std::move(errors.read));
  if (launch.error != 0) {
    return system_error("starting \"" + arguments[0] + "\"", launch.error);
  }
  return child;
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : id_(std::exchange(other.id_, 0)),
      output_(std::move(other.output_)),
      errors_(std::move(other.errors_)) {}

ChildProcess::~ChildProcess() {
  if (id_ != 0) {
    kill_group(SIGKILL);
    reap(std::chrono::steady_clock::now() + std::chrono::seconds(1));
  }
}

void ChildProcess::signal(int number) const {
  if (id_ != 0) {
    ::kill(id_, number);
  }
}

void ChildProcess::kill_group(int number) const {
  if (id_ != 0) {
    ::kill(-id_, number);
  }
}

std::optional<ChildExit> ChildProcess::reap(SteadyTime deadline) {
  int status = 0;
  for (;;) {
    const pid_t ended = ::waitpid(id_, &status, WNOHANG);
    if (ended == id_) {
      id_ = 0;
      return WIFSIGNALED(status) ? ChildExit{true, WTERMSIG(status)}
                                 : ChildExit{false, WEXITSTATUS(status)};
    }
    if ((ended < 0 && errno != EINTR) || std::chrono::steady_clock::now() >= deadline) {
      return std::nullopt;
    }
    std::this_thread::sleep_for(kReapCheck);
  }
}

}  // namespace millrace
