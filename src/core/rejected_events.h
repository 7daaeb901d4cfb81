// What becomes of the events that a sink rejects: they go to its dead letter, are held in the
// channel, or dropped.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/metrics.h"
#include "core/channel.h"
#include "core/dead_letter.h"
#include "core/letters.h"

namespace millrace {

// What becomes of a rejected event that no dead letter takes (key on-rejected).
enum class OnRejected { kHold, kDrop };

// Where a sink's letters go.
struct DeadLetterRoute {
  std::unique_ptr<DeadLetter> target;  // Null: there is none.
  std::string target_name;             // For people: "directory /var/dead".
  Letterhead head;
  SlabPool* slabs = nullptr;
};

// Durable: set_aside() returns once the letters are as durable as their target makes them; only
// then may the channel forget the events.
// Repeats: an event whose transaction does not commit behind that is rejected, and written, again.
// A dead letter that cannot be written is left alone for a while; its events are held, or dropped,
// meanwhile.
// Threads: its runner's alone; health() any.
class RejectedEvents {
 public:
  struct Options {
    OnRejected otherwise = OnRejected::kHold;
    DeadLetterRoute route;
    std::chrono::milliseconds rest;  // After a failure, times those in a row, at most five times.
  };
  // `name` is the sink's, for the log.
  RejectedEvents(std::string name, Channel& channel, MetricGroup& metrics, const Clock& clock,
                 Options options);

  // Before each transaction, and while nothing comes.
  void idle();
  // What of the transaction is to stay in the channel. The sink has flushed the rest.
  std::vector<HeldEvent> set_aside(const Rejects& rejects, const TakeTransaction& taken);
  void stop();

  // A dead letter that cannot be written, events that are held.
  Result<> health() const;

 private:
  struct Unsaid {
    std::size_t letters = 0;
    std::size_t held = 0;
    std::size_t dropped = 0;
  };

  bool has_target() const { return route_.target != nullptr; }
  bool ready();
  std::size_t post(const Rejects& rejects, const TakeTransaction& taken);
  void note(const Result<>& outcome);
  void say(const std::string& reason);
  bool is_due(const std::optional<SteadyTime>& last) const;

  const std::string name_;
  Channel& channel_;
  const Clock& clock_;
  const OnRejected otherwise_;
  const DeadLetterRoute route_;
  const std::chrono::milliseconds rest_;
  std::unique_ptr<BatchSpace> space_;  // For the headers of letters.
  bool started_ = false;
  int failures_ = 0;  // In a row.
  SteadyTime rest_until_{};
  Unsaid unsaid_;  // What became of events since the last line in the log.
  std::optional<SteadyTime> said_;
  std::optional<SteadyTime> complained_;
  Counter& rejected_;
  Counter& letters_;
  Counter& letters_failed_;
  mutable std::mutex mutex_;  // Guards what follows.
  std::string trouble_;       // Of the dead letter.
  std::string reason_;        // Of the last rejection.
};

}  // namespace millrace
