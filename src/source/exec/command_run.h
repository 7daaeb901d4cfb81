// The life of the source `exec`'s command: when it is started, how it is ended, when it is started
// again.
#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/metrics.h"
#include "io/child_process.h"
#include "source/exec/exec_config.h"

namespace millrace {

// Runs one command at a time. What the command prints is its owner's matter.
// Threads: the one that starts it, but for health(); `config` and the counter outlive it.
class CommandRun {
 public:
  CommandRun(const ExecConfig& config, std::string component, Counter& failed_commands)
      : config_(config), component_(std::move(component)), failed_commands_(failed_commands) {}

  // The command is due now, the first time; may be called on the control thread before.
  void schedule();
  // Starts it when it is due; 0 when it runs now, else how long nothing happens.
  std::chrono::milliseconds start_if_due();
  // Null when none runs.
  ChildProcess* child() { return child_ ? &*child_ : nullptr; }

  // Its output is at its end: so is the command, or it is made to, as Flume does. It can still be
  // asked for what it said on its error output, until done().
  void end();
  // What went wrong with the last start or run of it, until one begins. Threads: any.
  Result<> health() const;

  // Says how it ended and forgets it; it is due again when the configuration says so.
  void done();
  // Kills it with all that belongs to its group. Nothing is due any more.
  void kill();

 private:
  void schedule_restart();
  void set_trouble(std::string trouble);

  const ExecConfig& config_;
  const std::string component_;  // For the log.
  Counter& failed_commands_;
  std::optional<ChildProcess> child_;
  std::optional<ChildExit> exit_;       // Of the child, once end() has seen it.
  std::optional<SteadyTime> start_at_;  // When the command is due; nothing: never.
  mutable std::mutex trouble_mutex_;    // Guards trouble_.
  std::string trouble_;
};

}  // namespace millrace
