// The model of one agent: which parts it has and how they are joined, with what was left out and
// why. It knows no component: the keys of a part are checked later, by bind().
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "config/diagnostics.h"
#include "config/lookups.h"
#include "config/property_section.h"

namespace millrace {

// `properties` of each part hold all of its keys, without "a1.sources.r1."; values are trimmed and
// config filters applied.
struct SourceConfig {
  std::string name;
  std::string type;  // An alias or a class name, as it is written.
  std::vector<std::string> channels;
  PropertySection properties;
};

struct ChannelConfig {
  std::string name;
  std::string type;
  PropertySection properties;
};

struct SinkConfig {
  std::string name;
  std::string type;
  std::string channel;
  PropertySection properties;
};

struct SinkGroupConfig {
  std::string name;
  std::vector<std::string> sinks;
  std::string processor;       // "default" when it is not given.
  PropertySection properties;  // The processor's own keys: sub("processor.").
};

// Every channel that a source or sink names is in `channels`, every sink of a group in `sinks`, and
// no sink is in two groups. All in the order of their lists.
struct AgentConfig {
  std::string name;
  std::vector<ChannelConfig> channels;
  std::vector<SourceConfig> sources;
  std::vector<SinkConfig> sinks;
  std::vector<SinkGroupConfig> sink_groups;
};

// The agents that a resolved set defines, in its order: names with a key of a known kind (sources,
// sinks, channels, sinkgroups, configfilters).
std::vector<std::string> agent_names(const PropertySection& resolved);

// The model of agent `name`. A part that is not usable is left out, with an error, and the rest
// stays, as Flume does; nullopt when nothing usable is left or there is no such agent.
// `environment` is for config filters of type env.
std::optional<AgentConfig> read_agent(const PropertySection& resolved, std::string_view name,
                                      const TextMap& environment, Diagnostics& diagnostics);

// Warns of keys that belong to no agent and that no value refers to.
void check_loose_keys(const PropertySection& resolved,
                      const std::set<std::string, std::less<>>& referenced,
                      Diagnostics& diagnostics);

}  // namespace millrace
