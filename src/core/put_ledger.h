// What a source has put and its channels have not answered yet.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

#include "base/metrics.h"
#include "core/channel.h"

namespace millrace {

// One put() of the source until every required channel has answered.
struct PutTicket {
  std::size_t open = 1;  // Pieces that have no answer yet, and one for put() itself.
  std::size_t events = 0;
  PutDone done;
  std::optional<Error> error;  // The first one.
};

// Gives each put its one answer, and says when the source is to stop reading and when to go on.
// Threads: the executor's of its channel processor.
class PutLedger {
 public:
  explicit PutLedger(MetricGroup& metrics) : accepted_(metrics.counter("EventAcceptedCount")) {}

  std::shared_ptr<PutTicket> open(std::size_t events, PutDone done);
  // One of the ticket's pieces is committed; the last one answers the source.
  void close_one(const std::shared_ptr<PutTicket>& ticket);
  // Or will never be.
  void refuse_one(const std::shared_ptr<PutTicket>& ticket, Error error);
  std::size_t unanswered() const { return unanswered_; }

  // A piece for a required channel begins to wait for it, or does so no more.
  void add_waiting() { ++waiting_; }
  void end_waiting() { --waiting_; }
  // Its bytes are with the channel, or the channel has answered.
  void add_in_flight(std::size_t bytes) { in_flight_bytes_ += bytes; }
  void end_in_flight(std::size_t bytes) { in_flight_bytes_ -= bytes; }

  // Nothing waits, and few enough bytes are in flight.
  bool ready() const;
  // The next wake_if_ready() that finds it ready runs `wake`, once.
  void when_ready(std::function<void()> wake) { wake_ = std::move(wake); }
  void wake_if_ready();

 private:
  std::size_t unanswered_ = 0;       // Tickets.
  std::size_t waiting_ = 0;          // Pieces that no channel has accepted yet.
  std::size_t in_flight_bytes_ = 0;  // Of pieces accepted and not committed.
  std::function<void()> wake_;
  Counter& accepted_;
};

}  // namespace millrace
