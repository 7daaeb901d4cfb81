#include "core/plan_channels.h"

#include <algorithm>
#include <string>

#include "core/component_types.h"

namespace millrace {
namespace {

// A source puts into it, or a sink its dead letters.
bool is_fed(const Topology& topology, const std::string& channel) {
  const auto puts = [&](const PlannedSource& source) {
    return std::find(source.channels.begin(), source.channels.end(), channel) !=
           source.channels.end();
  };
  const auto posts = [&](const PlannedSink& sink) { return sink.rejection.channel == channel; };
  return std::any_of(topology.sources.begin(), topology.sources.end(), puts) ||
         std::any_of(topology.sinks.begin(), topology.sinks.end(), posts);
}

bool is_read(const Topology& topology, const std::string& channel) {
  return std::any_of(topology.sinks.begin(), topology.sinks.end(),
                     [&](const PlannedSink& sink) { return sink.channel == channel; });
}

}  // namespace

PropertySection keys_of_channel(const AgentConfig& config, std::string_view name) {
  const auto found =
      std::find_if(config.channels.begin(), config.channels.end(),
                   [&](const ChannelConfig& channel) { return channel.name == name; });
  return found == config.channels.end() ? PropertySection() : found->properties;
}

void drop_unused_channels(const AgentConfig& config, Topology& topology, Diagnostics& diagnostics) {
  std::erase_if(topology.channels, [&](const PlannedChannel& channel) {
    const bool has_source = is_fed(topology, channel.name);
    const bool has_sink = is_read(topology, channel.name);
    if (has_source && has_sink) {
      return false;
    }
    std::string_view finding = " is left out: no source and no sink uses it";
    if (has_source) {
      finding = " has no sink: what comes in stays there until it is full";
    } else if (has_sink) {
      finding = " has no source: its sinks get what it holds already, and no more";
    }
    diagnostics.add(about_part(keys_of_channel(config, channel.name),
                               "channel " + channel.name + std::string(finding),
                               Severity::kWarning));
    return !has_source && !has_sink;
  });
}

}  // namespace millrace
