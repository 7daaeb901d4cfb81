#include "core/put_ledger.h"

#include <utility>

namespace millrace {
namespace {

// Bytes of puts that may await their commit before the source stops reading (design: pipelined
// puts).
constexpr std::size_t kMostBytesInFlight = std::size_t{8} << 20;

}  // namespace

std::shared_ptr<PutTicket> PutLedger::open(std::size_t events, PutDone done) {
  auto ticket = std::make_shared<PutTicket>();
  ticket->events = events;
  ticket->done = std::move(done);
  ++unanswered_;
  return ticket;
}

void PutLedger::close_one(const std::shared_ptr<PutTicket>& ticket) {
  if (--ticket->open > 0) {
    return;
  }
  --unanswered_;
  if (!ticket->error) {
    accepted_.add(ticket->events);
  }
  if (ticket->done) {
    const PutDone done = std::move(ticket->done);
    done(ticket->error ? Result<>(*ticket->error) : Result<>());
  }
}

void PutLedger::refuse_one(const std::shared_ptr<PutTicket>& ticket, Error error) {
  if (!ticket->error) {
    ticket->error = std::move(error);
  }
  close_one(ticket);
}

bool PutLedger::ready() const {
  return waiting_ == 0 && in_flight_bytes_ < kMostBytesInFlight;
}

void PutLedger::wake_if_ready() {
  if (wake_ && ready()) {
    const std::function<void()> wake = std::exchange(wake_, nullptr);
    wake();
  }
}

}  // namespace millrace
