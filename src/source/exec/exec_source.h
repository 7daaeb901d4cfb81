// The source `exec`: each line that a command prints is an event.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "config/fields.h"
#include "core/thread_source.h"
#include "source/exec/child_process.h"

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
  std::vector<std::string> arguments() const;
};

// "\n", "\r" and "\r\n" end a line; an unterminated last line is an event too, and so is an empty
// one. While the channels are full the command is not read: its pipe fills and it waits. At stop,
// and when a command closes its output, it is ended: SIGTERM, later SIGKILL; at stop with all that
// belongs to its process group.
//
// Repeats: none. Losses: what the pipe holds when the agent is killed; the command cannot be told.
// Threads: see ThreadSource.
class ExecSource final : public ThreadSource {
 public:
  using Config = ExecConfig;
  // A longer line is cut there, and counted as incomplete.
  static constexpr std::size_t kLongestLine = std::size_t{16} << 20;

  ExecSource(Config config, SourceContext context);
  ~ExecSource() override;

 protected:
  Result<> open() override;
  std::chrono::milliseconds turn(std::stop_token stop) override;
  void drain(SteadyTime deadline) override;
  void close() override;

 private:
  enum class Read { kBytes, kNothing, kEnd, kNoMemory };

  std::chrono::milliseconds start_command();
  void command_ended(const std::stop_token& stop);
  Read read_output(const std::stop_token& stop);
  void index(std::string_view bytes, const std::stop_token& stop);
  void add_tail();
  void put_batch(const std::stop_token& stop);
  void read_errors();
  void log_errors(std::string_view bytes);
  void rest(std::chrono::milliseconds time);
  void wait_for_output(std::chrono::milliseconds time) const;

  const Config config_;
  const std::string component_;  // For the log.
  Counter& incomplete_events_;
  Counter& failed_commands_;
  EventBatch::Builder builder_;
  std::optional<ChildProcess> child_;
  std::string tail_;           // Of a line that has no end yet.
  bool skip_newline_ = false;  // The line before ended in '\r': a '\n' belongs to it.
  std::string error_line_;
  std::optional<SteadyTime> start_at_;  // When the command is due; nothing: never.
  SteadyTime deadline_{};               // Of the drain.
  Descriptor wake_;                     // An eventfd: a stop was requested.
};

}  // namespace millrace
