// The keys of the source `exec`.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "config/fields.h"

namespace millrace {

struct ExecConfig {
  std::string command;
  std::string shell;
  bool restart = false;
  std::chrono::milliseconds restart_throttle{10'000};
  bool log_stderr = false;
  std::uint32_t batch_size = 20;
  std::chrono::milliseconds batch_timeout{3000};
  std::string charset = "UTF-8";

  static constexpr auto fields() {
    using C = ExecConfig;
    return std::tuple{
        field("command", &C::command,
              "The command. Without a shell it is split at blanks; quotes mean nothing.")
            .required()
            .example("tail -F /var/log/syslog"),
        field("shell", &C::shell,
              "A shell to run the command in; it is split at blanks and gets the command as one "
              "more argument.")
            .example("/bin/sh -c"),
        field("restart", &C::restart, "The command is started again when it has ended."),
        field("restartThrottle", &C::restart_throttle, "Milliseconds until then.")
            .range(0, 86'400'000),
        field("logStdErr", &C::log_stderr, "The command's error output goes to the log."),
        field("batchSize", &C::batch_size, "Most events of one put.").range(1, 1'000'000),
        field("batchTimeout", &C::batch_timeout,
              "Longest time in milliseconds that a line waits for others; none waits at all, since "
              "a batch is what the pipe holds.")
            .range(0, 86'400'000),
        field("charset", &C::charset,
              "Encoding of the output. Bodies keep it; its line ends must be single bytes."),
    };
  }
  void check(ConfigCheck& check) const;
  std::size_t events_per_transaction() const { return batch_size; }
  // What is executed, with its arguments.
  std::vector<std::string> arguments() const;
};

}  // namespace millrace
