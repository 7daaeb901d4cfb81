// The one loop that takes, delivers, flushes, commits, rolls back and backs off.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>

#include "base/metrics.h"
#include "core/channel.h"
#include "core/rejected_events.h"
#include "core/sink.h"

namespace millrace {

// Runs one sink on one channel, on a thread of its own. Batches that wait share one flush and one
// commit, so a slow sync costs once a group and an idle flow never waits for company.
// Repeats: what was delivered and not committed when an error or a kill strikes comes again.
// Threads: start(), stop() on the control thread, health() on any.
class SinkRunner {
 public:
  // The longest that an idle sink waits between two calls of Sink::idle().
  static constexpr auto kIdleTick = std::chrono::milliseconds(250);

  struct Options {
    OnRejected on_rejected = OnRejected::kHold;
    // Waited after a failure, times the failures in a row, at most five times (Flume's sink
    // runner).
    std::chrono::milliseconds back_off{1000};
    DeadLetterRoute dead_letter{};
  };
  SinkRunner(std::string name, std::shared_ptr<Channel> channel, std::unique_ptr<Sink> sink,
             MetricGroup& metrics, Clock& clock, Options options);
  ~SinkRunner();

  void start();
  // Goes on until the channel is empty or `drain_until`, then closes the sink. A dead destination
  // is not waited for when the channel is durable, or empty.
  void stop(SteadyTime drain_until);

  // What the last attempt failed with, a dead letter that cannot be written, events held.
  Result<> health() const;

 private:
  enum class Drained { kNothing, kSome };

  void run(std::stop_token stop);
  void drain(SteadyTime until);
  Result<Drained> drain_once(SteadyTime first_take_until, const std::stop_token& stop);
  void count(std::size_t events, std::size_t batches);
  std::size_t most_group_bytes() const;
  void note(const Result<Drained>& outcome);
  void back_off(const std::stop_token& stop);
  void linger();
  Result<> ensure_started();

  const std::string name_;
  const std::shared_ptr<Channel> channel_;
  const std::unique_ptr<Sink> sink_;
  Clock& clock_;
  const std::chrono::milliseconds back_off_;
  RejectedEvents rejected_;
  bool started_ = false;
  std::size_t group_bytes_;      // A transaction ends at the batch that reaches this.
  std::size_t last_events_ = 0;  // Of the last transaction.
  std::size_t last_bytes_ = 0;
  SteadyTime last_end_{};
  int failures_ = 0;
  std::minstd_rand jitter_;
  SteadyTime drain_until_{};         // Written before the stop request, read after it.
  mutable std::mutex health_mutex_;  // Guards trouble_.
  std::string trouble_;
  Counter& attempts_;
  Counter& successes_;
  Counter& empty_;
  Counter& underflow_;
  Counter& complete_;
  Counter& write_fail_;
  std::jthread thread_;
};

}  // namespace millrace
