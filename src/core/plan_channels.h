// What is planned for channels once all sources and sinks are. For plan_topology.cc.
#pragma once

#include <string_view>

#include "config/agent_config.h"
#include "config/diagnostics.h"
#include "config/property_section.h"
#include "core/topology.h"

namespace millrace {

// The keys of a channel; none where there is no such channel.
PropertySection keys_of_channel(const AgentConfig& config, std::string_view name);

// Takes out the channels that no source and no sink of `topology` uses. One that has but one end
// runs, as in Flume, where it fills up or stays empty: a warning.
void drop_unused_channels(const AgentConfig& config, Topology& topology, Diagnostics& diagnostics);

}  // namespace millrace
