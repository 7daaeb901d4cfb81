// Decides whether a put goes to memory or to the log, and whom room in memory wakes.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

#include "channel/memory_room.h"

namespace millrace {

// A put that finds no room in memory waits for it. When it has waited for the time that the owner
// measures, the gate is open: what memory does not hold goes to the log at once, until enough of
// memory is free again. Puts that would never fit into memory do not wait.
// Threads: any. Callbacks are given to the caller, to be run by run() or by him without a lock.
class SpillGate {
 public:
  enum class Way {
    kMemory,  // The room for it is taken.
    kLog,
    kWait,  // Nothing happened.
  };
  using Wake = std::function<void()>;
  using Wakes = std::vector<Wake>;

  // The gate opens at once when `is_patient` is false, and closes when `close_at_free` of the
  // events in memory are free.
  SpillGate(const MemoryRoom::Limits& limits, bool is_patient, double close_at_free);

  // Between them puts are refused.
  void start();
  Wakes stop();

  Way choose(const EventBatch& batch);
  // The log had no room for what was sent there.
  void refused_by_log();
  // The put that choose() found room for did not come in.
  void take_back(const EventBatch& batch);

  // Keeps `wake` for when there may be room, or gives it back when there may be some now.
  struct Asked {
    Wakes wakes;
    bool time_me = false;  // The caller is to call waited_enough() after the time to wait.
    bool ask_log = false;  // The caller is to ask the log too, and call log_has_room() then.
  };
  Asked ask(Wake wake);
  Wakes waited_enough();
  Wakes log_has_room();
  // Events have left memory.
  Wakes give_back(std::uint64_t events, std::uint64_t slots);

  const MemoryRoom& arithmetic() const { return room_; }  // For slots_of() alone.

  static void run(const Wakes& wakes);

 private:
  const bool is_patient_;
  const double close_at_free_;
  std::mutex mutex_;  // Guards what follows; no other lock is taken under it.
  MemoryRoom room_;
  bool started_ = false;
  bool open_ = false;  // Puts go to the log without waiting.
  std::uint64_t used_at_refusal_ = 0;
  bool log_refused_ = false;  // Last; cleared when the log has room.
  bool is_timed_ = false;
  bool log_is_asked_ = false;
  Wakes waiting_;
};

}  // namespace millrace
