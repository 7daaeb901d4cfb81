#include "channel/memory_room.h"

#include <algorithm>

namespace millrace {
namespace {

constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};

std::uint64_t slot_limit(const MemoryRoom::Limits& limits) {
  const double usable = static_cast<double>(limits.bytes) * (100 - limits.buffer_percentage) / 100;
  const auto slots = static_cast<std::uint64_t>(usable / limits.slot_bytes);
  return slots < 1 ? kNoLimit : slots;
}

}  // namespace

MemoryRoom::MemoryRoom(const Limits& limits)
    : events_(limits.events), slots_(slot_limit(limits)), slot_bytes_(limits.slot_bytes) {}

std::uint64_t MemoryRoom::slots_of(const EventRef& event) const {
  return (std::max<std::uint64_t>(event.body_size, 1) + slot_bytes_ - 1) / slot_bytes_;
}

std::uint64_t MemoryRoom::slots_of(const EventBatch& batch) const {
  std::uint64_t slots = 0;
  std::uint32_t last_size = 0;  // Sizes repeat, and a division costs more than all the rest.
  std::uint64_t last_slots = 1;
  for (const EventRef& event : batch) {
    if (event.body_size != last_size) {
      last_size = event.body_size;
      last_slots = slots_of(event);
    }
    slots += last_slots;
  }
  return slots;
}

void MemoryRoom::take(std::uint64_t events, std::uint64_t slots) {
  used_events_ += events;
  used_slots_ += slots;
}

void MemoryRoom::give_back(std::uint64_t events, std::uint64_t slots) {
  used_events_ -= events;
  used_slots_ -= slots;
}

void MemoryRoom::clear() {
  used_events_ = 0;
  used_slots_ = 0;
}

bool MemoryRoom::is_half_free(std::uint64_t held_events, std::uint64_t held_slots) const {
  return used_events_ - held_events <= (events_ - std::min(held_events, events_)) / 2 &&
         used_slots_ - held_slots <= (slots_ - std::min(held_slots, slots_)) / 2;
}

double MemoryRoom::free_share() const {
  return events_ == 0 ? 0
                      : static_cast<double>(events_ - used_events_) / static_cast<double>(events_);
}

}  // namespace millrace
