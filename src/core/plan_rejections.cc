#include "core/plan_rejections.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "core/component_types.h"

namespace millrace {
namespace {

constexpr std::string_view kChannelKey = "dead-letter.channel";

// The channels that letters put into `from` may come to.
std::set<std::string> reachable(const Topology& topology, const std::string& from) {
  std::set<std::string> reached{from};
  for (bool grows = true; grows;) {
    grows = false;
    for (const PlannedSink& sink : topology.sinks) {
      const std::string& next = sink.rejection.channel;
      grows =
          (!next.empty() && reached.contains(sink.channel) && reached.insert(next).second) || grows;
    }
  }
  return reached;
}

// What is wrong with the channel that the letters are to go to; no message: nothing.
Diagnostic fault_of(const PropertySection& keys, const std::string& target, std::string_view own,
                    const Topology& topology) {
  std::vector<std::string_view> names;
  for (const PlannedChannel& channel : topology.channels) {
    names.push_back(channel.name);
  }
  Diagnostic fault = fault_at(keys, kChannelKey, "");
  if (target == own) {
    fault.message = "is the sink's own channel: its letters would come back to it";
  } else if (std::find(names.begin(), names.end(), target) == names.end()) {
    fault.message = "is not a usable channel of this agent";
    fault.hint = did_you_mean(nearest_name(target, names));
  } else if (reachable(topology, target).contains(std::string(own))) {
    fault.message =
        fmt::format("closes a circle: the dead letters of its sinks lead back to channel {}", own);
  }
  return fault;
}

}  // namespace

std::optional<RejectionConfig> plan_rejection(const PropertySection& sink,
                                              const PropertySection& channel,
                                              std::string_view channel_name,
                                              const Topology& topology, Diagnostics& diagnostics) {
  const PropertySection keys = RejectionConfig::keys_of(sink, channel);
  std::optional<RejectionConfig> config = bind<RejectionConfig>(keys, diagnostics, CommonKeys{});
  if (!config || config->channel.empty()) {
    return config;
  }
  Diagnostic fault = fault_of(keys, config->channel, channel_name, topology);
  if (fault.message.empty()) {
    return config;
  }
  diagnostics.add(std::move(fault));
  return std::nullopt;
}

std::size_t letter_stage(const Topology& topology, const PlannedSink& sink) {
  std::size_t stage = 0;
  for (const PlannedSink& other : topology.sinks) {  // There is no circle.
    if (other.rejection.channel == sink.channel) {
      stage = std::max(stage, letter_stage(topology, other) + 1);
    }
  }
  return stage;
}

}  // namespace millrace
