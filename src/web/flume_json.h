// Flume's JSON of its counters (Flume 1.11, class HTTPMetricsServer): every value is a string.
#pragma once

#include <string>

#include "base/metrics.h"

namespace millrace {

// {"SOURCE.r1":{"EventReceivedCount":"3",…,"Type":"SOURCE"},…}. Attributes that Flume shows from
// the start are there from the start; ours stand beside them.
std::string flume_json(const MetricsRegistry& metrics);

}  // namespace millrace
