#include "channel/spillable/spill_gate.h"

#include <utility>

namespace millrace {

SpillGate::SpillGate(const MemoryRoom::Limits& limits, bool is_patient, double close_at_free)
    : is_patient_(is_patient), close_at_free_(close_at_free), room_(limits) {}

void SpillGate::start() {
  const std::lock_guard lock(mutex_);
  room_.clear();
  started_ = true;
  open_ = false;
  log_refused_ = false;
}

SpillGate::Wakes SpillGate::stop() {
  const std::lock_guard lock(mutex_);
  started_ = false;
  return std::exchange(waiting_, {});
}

SpillGate::Way SpillGate::choose(const EventBatch& batch) {
  const std::uint64_t slots = room_.slots_of(batch);
  const std::lock_guard lock(mutex_);
  if (!started_) {
    return Way::kLog;  // Which is closed, too, and says so.
  }
  if (room_.fits(batch.size(), slots)) {
    room_.take(batch.size(), slots);
    return Way::kMemory;
  }
  if (!room_.fits_ever(batch.size(), slots)) {
    return Way::kLog;
  }
  open_ = open_ || !is_patient_;
  used_at_refusal_ = room_.events();
  return open_ ? Way::kLog : Way::kWait;
}

void SpillGate::refused_by_log() {
  const std::lock_guard lock(mutex_);
  log_refused_ = true;
}

void SpillGate::take_back(const EventBatch& batch) {
  const std::uint64_t slots = room_.slots_of(batch);
  const std::lock_guard lock(mutex_);
  room_.give_back(batch.size(), slots);
}

SpillGate::Asked SpillGate::ask(Wake wake) {
  Asked asked;
  const std::lock_guard lock(mutex_);
  const bool has_changed =  // Since it was refused: by another's time, or by events that left.
      (open_ && !log_refused_) || room_.events() < used_at_refusal_;
  if (!started_ || has_changed) {
    used_at_refusal_ = 0;
    asked.wakes.push_back(std::move(wake));
    return asked;
  }
  waiting_.push_back(std::move(wake));
  asked.time_me = !open_ && !std::exchange(is_timed_, true);
  asked.ask_log = log_refused_ && !std::exchange(log_is_asked_, true);
  return asked;
}

SpillGate::Wakes SpillGate::waited_enough() {
  const std::lock_guard lock(mutex_);
  is_timed_ = false;
  open_ = open_ || !waiting_.empty();
  return std::exchange(waiting_, {});
}

SpillGate::Wakes SpillGate::log_has_room() {
  const std::lock_guard lock(mutex_);
  log_is_asked_ = false;
  log_refused_ = false;
  return std::exchange(waiting_, {});
}

SpillGate::Wakes SpillGate::give_back(std::uint64_t events, std::uint64_t slots) {
  const std::lock_guard lock(mutex_);
  room_.give_back(events, slots);
  const bool closes = open_ && room_.free_share() >= close_at_free_;
  open_ = open_ && !closes;
  // Who waits for the log is told too: it may be stuck, or held events may take more than half.
  return room_.is_half_free() || closes ? std::exchange(waiting_, {}) : Wakes();
}

void SpillGate::run(const Wakes& wakes) {
  for (const Wake& wake : wakes) {
    wake();
  }
}

}  // namespace millrace
