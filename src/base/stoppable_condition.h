// A condition variable whose wait a stop request ends, too.
#pragma once

#include <condition_variable>
#include <mutex>
#include <stop_token>

#include "base/clock.h"

namespace millrace {

// std::condition_variable_any can wait for a stop token as well, but holds a mutex of its own while
// it notifies, on which the thread that it wakes waits at once: two more system calls a wake-up.
//
// Threads: any.
class StoppableCondition {
 public:
  void notify_one() { condition_.notify_one(); }
  void notify_all() { condition_.notify_all(); }

  // Until `done` says true, the deadline, or a stop request; what `done` says then. The lock is
  // held on entry, on return and while `done` runs.
  template <class Done>
  bool wait_until(std::unique_lock<std::mutex>& lock, const std::stop_token& stop,
                  SteadyTime deadline, Done done) {
    // A callback is made and ended without the lock, since it takes that itself: else it could run
    // between the look at the token and the sleep, and nobody would be woken.
    lock.unlock();
    {
      const std::stop_callback wake(stop, [this, mutex = lock.mutex()] {
        { const std::lock_guard asleep_or_not_looking(*mutex); }
        condition_.notify_all();
      });
      lock.lock();
      condition_.wait_until(lock, deadline, [&] { return stop.stop_requested() || done(); });
      lock.unlock();
    }
    lock.lock();
    return done();
  }

 private:
  std::condition_variable condition_;
};

// Waits for `time`; false, at once, when a stop is requested.
inline bool rest(const std::stop_token& stop, SteadyTime::duration time) {
  std::mutex mutex;
  StoppableCondition never;
  std::unique_lock lock(mutex);
  return !never.wait_until(lock, stop, std::chrono::steady_clock::now() + time,
                           [&] { return stop.stop_requested(); });
}

}  // namespace millrace
