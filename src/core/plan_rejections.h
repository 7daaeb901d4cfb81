// What a sink's rejected events are planned to become. For plan_topology.cc and agent.cc.
#pragma once

#include <optional>

#include "config/diagnostics.h"
#include "config/property_section.h"
#include "core/rejection_config.h"
#include "core/topology.h"

namespace millrace {

// The keys of a sink and of its channel, bound; nothing, said, when they do not do. The dead
// letter's channel has to be one of `topology`, another one than the sink's own, and none from
// which, by way of its sinks' dead letters, letters come back.
std::optional<RejectionConfig> plan_rejection(const PropertySection& sink,
                                              const PropertySection& channel,
                                              std::string_view channel_name,
                                              const Topology& topology, Diagnostics& diagnostics);

// How many sinks, one behind the other, letters may pass before they come to this one: 0 where no
// letters go to its channel. Sinks stop in this order, so that each still takes what comes to it.
std::size_t letter_stage(const Topology& topology, const PlannedSink& sink);

}  // namespace millrace
