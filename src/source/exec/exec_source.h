// The source `exec`: each line that a command prints is an event.
#pragma once

#include <chrono>
#include <stop_token>
#include <string>

#include "core/thread_source.h"
#include "io/descriptor.h"
#include "source/exec/command_run.h"
#include "source/exec/error_output.h"
#include "source/exec/exec_config.h"
#include "source/exec/output_lines.h"

namespace millrace {

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
  static constexpr std::size_t kLongestLine = OutputLines::kLongestLine;

  ExecSource(Config config, SourceContext context);
  ~ExecSource() override;

  Result<> health() const override { return command_.health(); }

 protected:
  Result<> open() override;
  std::chrono::milliseconds turn(std::stop_token stop) override;
  void drain(SteadyTime deadline) override;
  void close() override;

 private:
  enum class Read { kBytes, kNothing, kEnd, kNoMemory };

  Read read_output(const std::stop_token& stop);
  void command_ended(const std::stop_token& stop);
  void put_batch(const std::stop_token& stop);
  void read_until_end();
  void rest(std::chrono::milliseconds time);
  void wait_for_output(std::chrono::milliseconds time);

  const Config config_;
  const std::string component_;  // For the log.
  EventBatch::Builder builder_;
  CommandRun command_;
  OutputLines lines_;
  ErrorOutput errors_;
  SteadyTime deadline_{};  // Of the drain.
  Descriptor wake_;        // An eventfd: a stop was requested.
};

}  // namespace millrace
