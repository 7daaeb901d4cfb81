// The keys of Flume's sources that are asked for events, rather than woken by them.
#pragma once

#include <chrono>
#include <tuple>

#include "config/fields.h"

namespace millrace {

struct PollableConfig {
  std::chrono::milliseconds backoff_sleep_increment{1000};
  std::chrono::milliseconds max_backoff_sleep{5000};

  static constexpr auto fields() {
    using C = PollableConfig;
    return std::tuple{
        field("backoffSleepIncrement", &C::backoff_sleep_increment,
              "How much longer to wait each time that nothing was there.")
            .ignored("a source here waits until something is there"),
        field("maxBackoffSleep", &C::max_backoff_sleep, "Longest such wait.")
            .ignored("a source here waits until something is there"),
    };
  }
};

}  // namespace millrace
