// One sink on one channel, a transaction at a time: takes, delivers, flushes, and commits or rolls
// back.
#pragma once

#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/metrics.h"
#include "core/channel.h"
#include "core/rejected_events.h"
#include "core/sink.h"

namespace millrace {

class TakeTransaction;

// What a transaction moved; no events: nothing waited.
struct Drained {
  std::size_t events = 0;
  std::size_t bytes = 0;
};

// Batches that wait share one flush and one commit, so a slow sync costs once a group and an idle
// flow never waits for company.
// Repeats: what was delivered and not committed when an error or a kill strikes comes again; with a
// sink that delivers exactly once, before anybody has seen it.
// Threads: its runner's; health() on any.
class SinkDrain {
 public:
  // Bytes that one flush and one commit cover, when so much waits.
  static constexpr std::size_t kGroupBytes = std::size_t{1} << 20;

  struct Options {
    OnRejected on_rejected = OnRejected::kHold;
    DeadLetterRoute dead_letter{};
    std::chrono::milliseconds dead_letter_rest{1000};  // After a failure of it.
  };
  SinkDrain(std::string name, std::shared_ptr<Channel> channel, std::unique_ptr<Sink> sink,
            MetricGroup& metrics, Clock& clock, Options options);

  const std::string& name() const { return name_; }
  const Channel& channel() const { return *channel_; }
  MetricGroup& metrics() { return metrics_; }

  // Starts the sink, unless it is. drain_once() does so too.
  Result<> start();
  // One transaction of what waits by `first_take_until`, or a stop. On an error all of it is rolled
  // back; of an intent's commit, the wait for which `late` ends, the next start tells the outcome.
  Result<Drained> drain_once(SteadyTime first_take_until, const std::stop_token& stop,
                             const std::stop_token& late = {});
  // While transactions go to other sinks: work by the clock.
  void idle();
  // A sink that delivers exactly once ends what is open, and the commit that says so is waited for
  // until `late`: the next start does both otherwise.
  void stop(std::stop_token late);

  // What the last attempt failed with, a dead letter that cannot be written, events held.
  Result<> health() const;

 private:
  Result<> ensure_started();
  Result<std::string> make_durable();
  Result<> commit(TakeTransaction& transaction, const std::vector<HeldEvent>& held,
                  std::string_view intent, std::stop_token late);
  Result<> publish();
  Result<> end_exactly_once(std::stop_token late);
  Result<Drained> try_once(SteadyTime first_take_until, const std::stop_token& stop,
                           const std::stop_token& late);
  void count(std::size_t events, std::size_t batches);
  std::size_t most_group_bytes() const;
  void note(const Result<>& outcome);

  const std::string name_;
  const std::string log_name_;  // "sink k1"
  const std::shared_ptr<Channel> channel_;
  const std::unique_ptr<Sink> sink_;
  ExactlyOnce* const once_;  // Null: at least once.
  MetricGroup& metrics_;
  Clock& clock_;
  RejectedEvents rejected_;
  bool started_ = false;
  bool is_unpublished_ = false;  // The intent of the last commit.
  // A stop has left a commit open: only the next start tells how it went, and until then nothing is
  // published, or delivered behind it.
  bool is_over_ = false;
  bool had_events_ = false;  // The last attempt.
  // Then one that was given nothing does not show that it works again.
  bool failed_at_events_ = false;
  std::size_t group_bytes_;  // A transaction ends at the batch that reaches this.
  int failures_ = 0;         // In a row.
  std::string said_;         // Of the failures: what the log says.
  SteadyTime said_at_{};
  mutable std::mutex health_mutex_;  // Guards trouble_.
  std::string trouble_;
  Counter& attempts_;
  Counter& successes_;
  Counter& empty_;
  Counter& underflow_;
  Counter& complete_;
  Counter& write_fail_;
};

}  // namespace millrace
