// How much a channel in memory may hold, counted as Flume's memory channels do.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/event_batch.h"

namespace millrace {

// An event takes ceil(max(body, 1) / slot_bytes) of trunc(bytes * (1 - buffer%) / slot_bytes) byte
// slots; headers are not counted. Less than one slot means no limit by bytes.
// Threads: its owner's lock; the rest of the functions any.
class MemoryRoom {
 public:
  struct Limits {
    std::uint64_t events = 0;
    std::uint64_t bytes = 0;
    std::uint32_t buffer_percentage = 0;  // Of `bytes`, kept free for headers.
    std::uint32_t slot_bytes = 100;
  };
  explicit MemoryRoom(const Limits& limits);

  std::uint64_t slots_of(const EventRef& event) const;
  std::uint64_t slots_of(const EventBatch& batch) const;

  bool fits(std::uint64_t events, std::uint64_t slots) const {
    return used_events_ + events <= events_ && used_slots_ + slots <= slots_;
  }
  // Even when nothing else is inside.
  bool fits_ever(std::uint64_t events, std::uint64_t slots) const {
    return events <= events_ && slots <= slots_;
  }
  void take(std::uint64_t events, std::uint64_t slots);
  void give_back(std::uint64_t events, std::uint64_t slots);
  void clear();

  std::uint64_t events() const { return used_events_; }
  std::uint64_t slots() const { return used_slots_; }
  // A source that waits is woken at half of what held events leave: it finds room for many batches.
  bool is_half_free(std::uint64_t held_events = 0, std::uint64_t held_slots = 0) const;
  double free_share() const;  // Of the events; 0 when there may be none.

 private:
  std::uint64_t events_;  // Limits.
  std::uint64_t slots_;
  std::uint32_t slot_bytes_;
  std::uint64_t used_events_ = 0;
  std::uint64_t used_slots_ = 0;
};

}  // namespace millrace
