// The contract of a sink processor: which sink of a group gets the next transaction.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/clock.h"

namespace millrace {

// What became of a transaction that a sink was given.
enum class Turn {
  kDelivered,
  kNothing,  // Nothing waited in its channel.
  kFailed,   // All of it was rolled back.
};

// How one sink of a group stands.
struct SinkStanding {
  bool is_active = false;    // It gets the next transaction, or its share of those to come.
  int failures = 0;          // That its rest is reckoned from.
  SteadyTime rests_until{};  // It gets none before; in the past: it does not rest.
};

// Knows the sinks of its group by their index in it, and never touches one: the runner does. For
// each transaction the runner asks for the order, and tells what became of each sink's turn.
// Threads: one at a time; the runner sees to it.
class SinkProcessor {
 public:
  virtual ~SinkProcessor() = default;

  // The sinks that the next transaction is offered to, one after the other until one does not
  // fail. Empty: all of them rest. At the end of time none does.
  virtual std::vector<std::size_t> order(SteadyTime now) = 0;
  virtual void note(std::size_t sink, Turn turn, SteadyTime now) = 0;
  virtual SinkStanding standing(std::size_t sink, SteadyTime now) const = 0;

  // Each sink is to have a thread, and with it a processor, of its own.
  virtual bool is_parallel() const { return false; }
  // What it does, for people: "k1 (priority 10), then k2 (5)".
  virtual std::string plan() const = 0;
};

// One sink, which gets everything.
class DefaultSinkProcessor : public SinkProcessor {
 public:
  explicit DefaultSinkProcessor(std::string sink) : sink_(std::move(sink)) {}
  std::vector<std::size_t> order(SteadyTime) override { return {0}; }
  void note(std::size_t, Turn, SteadyTime) override {}
  SinkStanding standing(std::size_t, SteadyTime) const override { return {.is_active = true}; }
  std::string plan() const override { return sink_; }

 private:
  const std::string sink_;
};

}  // namespace millrace
