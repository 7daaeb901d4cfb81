// A command that runs beside the agent, in a process group of its own.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "io/descriptor.h"

namespace millrace {

// How a command ended, in words: "exited with status 3", "was killed by signal 9 (Killed)".
struct ChildExit {
  bool by_signal = false;
  int number = 0;  // Of the status or the signal.

  bool good() const { return !by_signal && number == 0; }
  std::string to_string() const;
};

// Its standard input is /dev/null, its outputs are pipes that do not block on our side. The kernel
// kills it when the thread that started it ends, so an agent that is killed leaves no command
// behind; what the command itself has started in the background is ended by kill_group() alone.
//
// Its process id stays taken until reap(), so that kill_group() never hits a stranger.
// Threads: the one that started it, which must outlive it.
class ChildProcess {
 public:
  // kTransient when the command cannot be started: the message says why.
  static Result<ChildProcess> start(const std::vector<std::string>& arguments);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;
  ~ChildProcess();  // Kills the group and reaps.

  pid_t id() const { return id_; }
  const Descriptor& output() const { return output_; }
  const Descriptor& errors() const { return errors_; }
  void close_output() { output_ = Descriptor(); }
  void close_errors() { errors_ = Descriptor(); }

  void signal(int number) const;
  void kill_group(int number) const;
  // Waits for the end until `deadline`; nothing when it has not come. Once it has, the process id
  // is free again.
  std::optional<ChildExit> reap(SteadyTime deadline);

 private:
  ChildProcess(pid_t id, Descriptor output, Descriptor errors)
      : id_(id), output_(std::move(output)), errors_(std::move(errors)) {}

  pid_t id_;  // 0: reaped or moved from.
  Descriptor output_;
  Descriptor errors_;
};

}  // namespace millrace
