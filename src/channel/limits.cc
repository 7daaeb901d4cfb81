#include "channel/limits.h"

#include <fmt/core.h>

namespace millrace {

void ChannelLimits::check(ConfigCheck& check) const {
  if (transaction_capacity > capacity) {
    check.fault("transactionCapacity",
                fmt::format("{} is more than the capacity, {}", transaction_capacity, capacity));
  }
}

LimitedChannel::LimitedChannel(const ChannelLimits& limits, MetricGroup& metrics)
    : metrics_(metrics),
      put_attempts_(metrics.counter("EventPutAttemptCount")),
      take_attempts_(metrics.counter("EventTakeAttemptCount")),
      limits_(limits) {}

}  // namespace millrace
