// The takers of a channel that found nothing, and who of them is woken.
#pragma once

#include <list>
#include <mutex>
#include <stop_token>

#include "base/stoppable_condition.h"

namespace millrace::file_channel {

// Who fell asleep last is woken first, and the next one only when that one has looked: while a few
// sinks keep up the others sleep on, and cost nothing, however many there are. Whoever is woken and
// leaves something behind has to wake the next.
// Threads: under the channel's lock.
class SleepingTakers {
 public:
  // Until woken, the deadline, or a stop request. The lock is gone meanwhile.
  void sleep(std::unique_lock<std::mutex>& lock, const std::stop_token& stop, SteadyTime until) {
    asleep_.emplace_front();
    const auto self = asleep_.begin();
    self->condition.wait_until(lock, stop, until, [&] { return self->is_woken; });
    if (self->is_woken) {
      --on_their_way_;
    }
    asleep_.erase(self);
  }

  void wake_one() {
    if (on_their_way_ == 0) {
      wake_next();
    }
  }
  void wake_all() {
    while (wake_next()) {
    }
  }

 private:
  struct Taker {
    bool is_woken = false;
    StoppableCondition condition;
  };

  bool wake_next() {
    for (Taker& taker : asleep_) {
      if (!taker.is_woken) {
        taker.is_woken = true;
        ++on_their_way_;
        taker.condition.notify_one();
        return true;
      }
    }
    return false;
  }

  std::list<Taker> asleep_;       // The last to fall asleep in front.
  std::size_t on_their_way_ = 0;  // Woken, but not running yet.
};

}  // namespace millrace::file_channel
