// Letters: rejected events with headers that say why, when, by whom and from where.
#pragma once

#include <string>

#include "base/clock.h"
#include "core/event_batch.h"
#include "core/sink.h"
#include "core/take_transaction.h"

namespace millrace {

// What the letters of one sink have in common.
struct Letterhead {
  std::string component;   // "a1.sinks.k1"
  std::string taken_from;  // "c1"
};

// A letter for each reject, in their order, over the slabs of the events: bodies are not copied.
// `space` may go past the memory budget for the headers. Threads: the space's.
BatchPtr letters_of(const Rejects& rejects, const TakeTransaction& taken, const Letterhead& head,
                    const Clock& clock, BatchSpace& space);

}  // namespace millrace
