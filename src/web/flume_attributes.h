// The attributes that Flume 1.11 shows for its components (class MonitoredCounterGroup and those
// that extend it).
#pragma once

#include <span>
#include <string_view>

namespace millrace {

// Shown for every group of a type, "0" until first bumped; empty for a type that Flume does not
// count. `type` as in MetricGroup: "SOURCE".
std::span<const std::string_view> flume_attributes(std::string_view type);

// True for those that Flume sets rather than adds to: gauges to Prometheus.
bool is_flume_gauge(std::string_view attribute);

}  // namespace millrace
