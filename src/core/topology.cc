#include "core/topology.h"

#include <algorithm>

namespace millrace {

std::vector<std::unique_ptr<Interceptor>> PlannedSource::make_interceptors(
    Services& services) const {
  std::vector<std::unique_ptr<Interceptor>> made;
  for (const PlannedInterceptor& interceptor : interceptors) {
    made.push_back(interceptor.prepared.make({name + "." + interceptor.name, services}));
  }
  return made;
}

const PlannedSink* Topology::sink(std::string_view name) const {
  const auto found = std::find_if(sinks.begin(), sinks.end(),
                                  [&](const PlannedSink& sink) { return sink.name == name; });
  return found == sinks.end() ? nullptr : &*found;
}

}  // namespace millrace
