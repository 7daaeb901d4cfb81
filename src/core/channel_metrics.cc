#include "core/channel_metrics.h"

#include <limits>

namespace millrace {

void declare_channel_metrics(MetricGroup& metrics, const Channel& channel) {
  const auto size = [&channel] {
    const ChannelCounts counts = channel.counts();
    return static_cast<double>(counts.in_channel + counts.held);
  };
  const auto capacity = [&channel] { return static_cast<double>(channel.capacity()); };
  metrics.computed("ChannelSize", MetricKind::kGauge, size);
  metrics.computed("ChannelCapacity", MetricKind::kGauge, capacity);
  metrics.computed("ChannelFillPercentage", MetricKind::kGauge, [size, capacity] {
    // Flume divides doubles and prints what comes: its figure for capacity 0 is Double.MAX_VALUE.
    return capacity() == 0 ? std::numeric_limits<double>::max() : 100 * size() / capacity();
  });
  const auto put = [&channel] { return static_cast<double>(channel.counts().put); };
  metrics.computed("EventPutSuccessCount", MetricKind::kCounter, put);
  metrics.computed("EventTakeSuccessCount", MetricKind::kCounter,
                   [&channel] { return static_cast<double>(channel.counts().acknowledged); });
  metrics.computed("EventDroppedCount", MetricKind::kCounter,
                   [&channel] { return static_cast<double>(channel.counts().dropped); });
  metrics.computed("EventHeldCount", MetricKind::kGauge,
                   [&channel] { return static_cast<double>(channel.counts().held); });
  metrics.counter("EventPutAttemptCount");
  metrics.counter("EventTakeAttemptCount");
}

}  // namespace millrace
