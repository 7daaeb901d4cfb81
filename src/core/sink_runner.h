// The one loop that gives sinks their transactions, and backs off when they fail.
#pragma once

#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "core/sink_drain.h"
#include "core/sink_processor.h"

namespace millrace {

// Runs one sink, or the sinks of a group, on a thread of its own: each transaction goes to the
// first sink in the processor's order that does not fail. When none is left it is tried again after
// a while. Repeats: as SinkDrain.
// Threads: start(), stop() on the control thread, the rest on any.
class SinkRunner {
 public:
  // The longest that an idle sink waits between two calls of Sink::idle().
  static constexpr auto kIdleTick = std::chrono::milliseconds(250);
  // Waited after a failure, times the failures in a row, at most five times (Flume's sink runner).
  static constexpr auto kBackOff = std::chrono::milliseconds(1000);

  // `name` is for the log: "sink k1", "sink group g1".
  SinkRunner(std::string name, std::vector<std::unique_ptr<SinkDrain>> sinks,
             std::unique_ptr<SinkProcessor> processor, Clock& clock,
             std::chrono::milliseconds back_off = kBackOff);
  ~SinkRunner();

  void start();
  // Goes on until the channel is empty or `drain_until`, then closes the sinks. A dead destination
  // is not waited for when the channel is durable, or empty.
  void stop(SteadyTime drain_until);

  bool is_group() const { return sinks_.size() > 1; }
  const std::vector<std::unique_ptr<SinkDrain>>& sinks() const { return sinks_; }
  // A lone sink's; of a group, an error while none of its sinks delivers.
  Result<> health() const;
  // "k2 delivers; k1 rests until 2026-01-31T23:59:59Z after 3 failures"
  std::string standings() const;

 private:
  // What a group shows of each sink among that sink's metrics.
  struct Gauges {
    Counter& active;
    Counter& failures;
    Counter& rests_until;  // Milliseconds since 1970; 0: it does not rest.
  };

  void run(const std::stop_token& stop);
  void start_sinks();
  void drain(SteadyTime until);
  bool everything_is_out(std::size_t empty_turns) const;
  Result<Drained> attempt(SteadyTime first_take_until, const std::stop_token& stop);
  std::vector<std::size_t> next_order();
  void note(std::size_t sink, Turn turn);
  void note(const Result<Drained>& outcome);
  void show_standings(SteadyTime now);
  std::string standings_at(SteadyTime now) const;
  std::int64_t wall_ms_at(SteadyTime time, SteadyTime now) const;
  void idle_others(const std::vector<std::size_t>& tried);
  void back_off(const std::stop_token& stop);
  void linger(const Drained& drained);

  const std::string name_;
  const std::vector<std::unique_ptr<SinkDrain>> sinks_;
  Clock& clock_;
  const std::chrono::milliseconds back_off_;
  std::size_t last_ = 0;      // The sink that had the last turn.
  bool is_draining_ = false;  // It stops.
  SteadyTime last_end_{};
  SteadyTime last_idle_{};
  int failures_ = 0;
  std::minstd_rand jitter_;
  SteadyTime drain_until_{};  // Written before the stop request, read after it.
  std::stop_source late_;     // It is past that: a commit waits for its channel no longer.
  std::vector<Gauges> gauges_;
  mutable std::mutex mutex_;  // Guards what follows.
  const std::unique_ptr<SinkProcessor> processor_;
  bool all_stand_well_ = false;   // As shown: no sink has failures.
  std::vector<bool> active_;      // As shown.
  SteadyTime first_rest_ends_{};  // Of the sinks that rest.
  std::string trouble_;           // No sink delivered.
  std::jthread thread_;
};

// The runner of one sink that is in no group.
std::unique_ptr<SinkRunner> runner_of(std::unique_ptr<SinkDrain> sink, Clock& clock,
                                      std::chrono::milliseconds back_off = SinkRunner::kBackOff);

}  // namespace millrace
