// Flume's channel attributes (MonitoredCounterGroup CHANNEL), computed from a channel's counts, and
// the conservation figures of ours.
#pragma once

#include "base/metrics.h"
#include "core/channel.h"

namespace millrace {

// Declares ChannelSize, ChannelCapacity, ChannelFillPercentage,
// Event{Put,Take}{Attempt,Success}Count and EventDroppedCount, EventHeldCount. `channel` must live
// until drop_computed() of the group.
void declare_channel_metrics(MetricGroup& metrics, const Channel& channel);

}  // namespace millrace
