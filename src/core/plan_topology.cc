#include <fmt/core.h>

#include <algorithm>

#include "config/agent_config.h"
#include "core/component_types.h"
#include "core/plan_channels.h"
#include "core/plan_interceptors.h"
#include "core/plan_rejections.h"
#include "core/topology.h"

namespace millrace {
namespace {

constexpr std::string_view kFaulty = "see above";

class Planner {
 public:
  Planner(const AgentConfig& config, Diagnostics& diagnostics)
      : config_(config), diagnostics_(diagnostics) {}

  Topology plan() {
    topology_.agent = config_.name;
    for (const ChannelConfig& channel : config_.channels) {
      plan_channel(channel);
    }
    for (const SourceConfig& source : config_.sources) {
      plan_source(source);
    }
    for (const SinkConfig& sink : config_.sinks) {
      plan_sink(sink);
    }
    for (const SinkGroupConfig& group : config_.sink_groups) {
      plan_group(group);
    }
    drop_unused_channels(config_, topology_, diagnostics_);
    return std::move(topology_);
  }

 private:
  void plan_channel(const ChannelConfig& config);
  void plan_source(const SourceConfig& config);
  void plan_sink(const SinkConfig& config);
  bool plan_selector(PlannedSource& source, const PropertySection& keys);
  bool names_channels(const PlannedSource& source, const PropertySection& selector);
  bool batch_fits(std::optional<std::size_t> batch, std::string_view channel,
                  const std::string& part, const PropertySection& keys);
  bool intents_are_kept(const Prepared<Sink, SinkContext>& sink, std::string_view channel,
                        const std::string& part, const PropertySection& keys);
  void plan_group(const SinkGroupConfig& config);
  void leave_out_sinks(const SinkGroupConfig& group);
  void check_channels(const PlannedSinkGroup& group, const PropertySection& keys);
  const PlannedChannel* channel(std::string_view name) const;
  void left_out(const std::string& part, const PropertySection& keys, std::string_view why,
                Severity severity = Severity::kError);

  const AgentConfig& config_;
  Diagnostics& diagnostics_;
  Topology topology_;
  Claims claims_;
};

void Planner::left_out(const std::string& part, const PropertySection& keys, std::string_view why,
                       Severity severity) {
  diagnostics_.add(about_part(keys, fmt::format("{} is left out: {}", part, why), severity));
}

const PlannedChannel* Planner::channel(std::string_view name) const {
  const auto found =
      std::find_if(topology_.channels.begin(), topology_.channels.end(),
                   [&](const PlannedChannel& planned) { return planned.name == name; });
  return found == topology_.channels.end() ? nullptr : &*found;
}

void Planner::plan_channel(const ChannelConfig& config) {
  const std::string part = "channel " + config.name;
  auto prepared =
      prepare<ChannelRegistry>(config.type, config.properties, common_channel_keys(), diagnostics_);
  if (!prepared) {
    left_out(part, config.properties, kFaulty, severity_of_absence<ChannelRegistry>(config.type));
  } else if (!claims_.add(part, config.properties, prepared->claims, diagnostics_)) {
    left_out(part, config.properties, kFaulty);
  } else {
    topology_.channels.push_back({config.name, config.type, std::move(*prepared)});
  }
}

void Planner::plan_source(const SourceConfig& config) {
  const std::string part = "source " + config.name;
  PlannedSource source{.name = config.name, .type = config.type};
  for (const std::string& name : config.channels) {
    if (channel(name) != nullptr) {
      source.channels.push_back(name);
    }
  }
  auto prepared =
      prepare<SourceRegistry>(config.type, config.properties, common_source_keys(), diagnostics_);
  const bool interceptors_good = plan_interceptors(source, config.properties, diagnostics_);
  const bool claims_good =
      !prepared || claims_.add(part, config.properties, prepared->claims, diagnostics_);
  if (source.channels.empty()) {
    left_out(part, config.properties, "none of its channels is usable");
    return;
  }
  const bool selector_good = plan_selector(source, config.properties);
  if (!prepared || !interceptors_good || !selector_good || !claims_good) {
    left_out(part, config.properties, kFaulty,
             interceptors_good && selector_good && claims_good
                 ? severity_of_absence<SourceRegistry>(config.type)
                 : Severity::kError);
    return;
  }
  for (const std::string& name : source.channels) {
    if (!batch_fits(prepared->events_per_transaction, name, part, config.properties)) {
      return;
    }
  }
  source.prepared = std::move(*prepared);
  topology_.sources.push_back(std::move(source));
}

bool Planner::plan_selector(PlannedSource& source, const PropertySection& keys) {
  const PropertySection selector = keys.sub("selector.");
  source.selector_type = selector.value_or("type", "replicating");
  auto prepared =
      prepare<SelectorRegistry>(source.selector_type, selector, common_nested_keys(), diagnostics_);
  if (!names_channels(source, selector) || !prepared) {
    return false;
  }
  source.selector = std::move(*prepared);
  return true;
}

// Every channel that the selector's keys name is one of the source's: Flume drops the source
// otherwise.
bool Planner::names_channels(const PlannedSource& source, const PropertySection& selector) {
  bool all_known = true;
  for (const Property& property : selector.entries()) {
    const bool is_list = property.key == "default" || property.key == "optional" ||
                         property.key.starts_with("mapping.") ||
                         property.key.starts_with("optional.");
    if (!is_list) {
      continue;
    }
    for (const std::string& name : split_words(property.value)) {
      const auto& known = source.channels;
      if (std::find(known.begin(), known.end(), name) == known.end()) {
        Diagnostic fault =
            fault_at(selector, property.key,
                     fmt::format("\"{}\" is not a usable channel of this source", name));
        fault.hint = did_you_mean(nearest_name(name, {known.begin(), known.end()}));
        diagnostics_.add(std::move(fault));
        all_known = false;
      }
    }
  }
  return all_known;
}

// As Flume: a batch that the channel could never take in one transaction takes the part out.
bool Planner::batch_fits(std::optional<std::size_t> batch, std::string_view channel_name,
                         const std::string& part, const PropertySection& keys) {
  const std::optional<std::size_t> capacity =
      channel(channel_name)->prepared.events_per_transaction;
  if (!batch || !capacity || *batch <= *capacity) {
    return true;
  }
  left_out(
      part, keys,
      fmt::format("its batch of {} events is more than the transactionCapacity of channel {}, {}",
                  *batch, channel_name, *capacity));
  return false;
}

// Exactly once needs a channel that commits the sink's intent with its events.
bool Planner::intents_are_kept(const Prepared<Sink, SinkContext>& sink,
                               std::string_view channel_name, const std::string& part,
                               const PropertySection& keys) {
  const PlannedChannel& from = *channel(channel_name);
  if (!sink.exactly_once || from.prepared.exactly_once) {
    return true;
  }
  left_out(
      part, keys,
      fmt::format("it delivers exactly once, and channel {} of type {} does not keep what that "
                  "needs; a file channel with fsyncPerTransaction = true does",
                  channel_name, from.type));
  return false;
}

void Planner::plan_sink(const SinkConfig& config) {
  const std::string part = "sink " + config.name;
  auto prepared =
      prepare<SinkRegistry>(config.type, config.properties, common_sink_keys(), diagnostics_);
  std::optional<RejectionConfig> rejection =
      plan_rejection(config.properties, keys_of_channel(config_, config.channel), config.channel,
                     topology_, diagnostics_);
  if (!prepared || !rejection) {
    left_out(part, config.properties, kFaulty,
             rejection ? severity_of_absence<SinkRegistry>(config.type) : Severity::kError);
    return;
  }
  if (channel(config.channel) == nullptr) {
    left_out(part, config.properties, fmt::format("its channel {} is not usable", config.channel));
    return;
  }
  if (batch_fits(prepared->events_per_transaction, config.channel, part, config.properties) &&
      intents_are_kept(*prepared, config.channel, part, config.properties)) {
    topology_.sinks.push_back(
        {config.name, config.type, config.channel, std::move(*rejection), std::move(*prepared)});
  }
}

void Planner::plan_group(const SinkGroupConfig& config) {
  const std::string part = "sink group " + config.name;
  PlannedSinkGroup group{.name = config.name, .type = config.processor};
  for (const std::string& name : config.sinks) {
    if (topology_.sink(name) != nullptr) {
      group.sinks.push_back(name);
    }
  }
  auto prepared = prepare<SinkProcessorRegistry>(
      config.processor, config.properties, common_group_keys(), diagnostics_, "processor.type");
  if (!prepared) {
    left_out(part, config.properties, kFaulty);
    leave_out_sinks(config);
  } else if (group.sinks.empty()) {
    left_out(part, config.properties, "none of its sinks is usable");
  } else {
    check_channels(group, config.properties);
    group.prepared = std::move(*prepared);
    topology_.sink_groups.push_back(std::move(group));
  }
}

// As Flume: alone, each would take what another one of the group is to take.
void Planner::leave_out_sinks(const SinkGroupConfig& group) {
  for (const SinkConfig& sink : config_.sinks) {
    if (std::find(group.sinks.begin(), group.sinks.end(), sink.name) == group.sinks.end()) {
      continue;
    }
    const auto is_it = [&](const PlannedSink& planned) { return planned.name == sink.name; };
    if (std::erase_if(topology_.sinks, is_it) > 0) {
      left_out("sink " + sink.name, sink.properties,
               fmt::format("its sink group {} is", group.name));
    }
  }
}

// Flume allows it, and it is hardly ever meant.
void Planner::check_channels(const PlannedSinkGroup& group, const PropertySection& keys) {
  const PlannedSink& first = *topology_.sink(group.sinks.front());
  for (const std::string& name : group.sinks) {
    const PlannedSink& sink = *topology_.sink(name);
    if (sink.channel != first.channel) {
      Diagnostic warning = fault_at(
          keys, "sinks",
          fmt::format("sink {} takes from channel {} and sink {} from channel {}: what is in one "
                      "is delivered by its own sink alone",
                      first.name, first.channel, sink.name, sink.channel));
      warning.severity = Severity::kWarning;
      diagnostics_.add(std::move(warning));
      return;
    }
  }
}

}  // namespace

Topology plan_topology(const AgentConfig& config, Diagnostics& diagnostics) {
  return Planner(config, diagnostics).plan();
}

}  // namespace millrace
