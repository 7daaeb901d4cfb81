// The events of a channel, in order, while puts and takes are replayed.
#pragma once

#include <cstdint>
#include <vector>

#include "channel/flume_log/record.h"

namespace millrace::flume_log {

// Costs 8 bytes an event in the channel, and 8 for each take that is not yet applied. Takes may
// come before their puts, as they do when the channel has several data dirs. Threads: one.
class PointerQueue {
 public:
  void append(const std::vector<Pointer>& puts);
  void remove(const std::vector<Pointer>& takes);
  // Applies all takes; events() and untold() are right afterwards.
  void settle();

  const std::vector<Pointer>& events() const { return events_; }
  // Takes of puts that were not seen, ascending.
  const std::vector<Pointer>& untold() const { return takes_; }
  std::uint64_t taken() const { return taken_; }

 private:
  std::vector<Pointer> events_;
  std::vector<Pointer> takes_;
  std::size_t settle_at_ = std::size_t{1} << 20;
  std::uint64_t taken_ = 0;
};

}  // namespace millrace::flume_log
