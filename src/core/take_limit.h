// How much of a channel one lease may have.
#pragma once

#include <cstddef>

#include "core/event_batch.h"

namespace millrace {

struct TakeLimit {
  std::size_t events;  // Most events of one lease.
  std::size_t bytes;   // A lease ends at the event that reaches this.

  // How many of the batch's events [from, to), of which there is one at least, a lease may have:
  // never none. A batch that has no more bytes is not looked into.
  std::size_t events_of(const EventBatch& batch, std::size_t from, std::size_t to) const;
};

}  // namespace millrace
