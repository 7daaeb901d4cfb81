// The figures of all components in Prometheus' text format 0.0.4.
#pragma once

#include <string>
#include <string_view>

#include "base/metrics.h"

namespace millrace {

// Each attribute twice: by our name, millrace_event_put_success_total{type="channel",
// component="c1"}, and, for Flume's attributes, by the name of Flume's own exporter (1.11.1),
// Flume_EventPutSuccessCount_total{component="c1"}. Attributes that are no numbers are left out.
// Then the process's TCP figures.
std::string prometheus_text(const MetricsRegistry& metrics);

// "EventPutSuccessCount" of a counter → "millrace_event_put_success_total".
std::string prometheus_name(std::string_view attribute, MetricKind kind);

}  // namespace millrace
