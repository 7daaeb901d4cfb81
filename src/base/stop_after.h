// A stop that comes by itself.
#pragma once

#include <stop_token>
#include <thread>

#include "base/stoppable_condition.h"

namespace millrace {

// Requests a stop when `time` is over, unless it is gone by then. Threads: one of its own.
class StopAfter {
 public:
  explicit StopAfter(SteadyTime::duration time)
      : timer_([this, time](const std::stop_token& done) {
          if (time.count() <= 0 || rest(done, time)) {
            source_.request_stop();
          }
        }) {}

  std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  std::jthread timer_;
};

}  // namespace millrace
