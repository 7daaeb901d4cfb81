#include "config/agent_config.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <utility>

#include "config/agent_sections.h"
#include "config/nearest_name.h"

namespace millrace {

namespace {

using NameSet = std::set<std::string, std::less<>>;

// Reads the parts in Flume's order, each against the ones that were found usable before it.
class AgentReader {
 public:
  AgentReader(AgentSections& sections, Diagnostics& diagnostics)
      : sections_(sections), diagnostics_(diagnostics) {
    agent_.name = sections.name();
  }

  std::optional<AgentConfig> read(const TextMap& environment) {
    apply_filters(environment);
    read_channels();
    read_sources();
    read_sinks();
    read_sink_groups();
    if (!is_usable()) {
      return std::nullopt;
    }
    drop_unused_channels();
    return std::move(agent_);
  }

 private:
  void apply_filters(const TextMap& environment) {
    for (Part& part : sections_.listed(PartKind::kConfigFilters)) {
      const std::optional<std::string> type = type_of(PartKind::kConfigFilters, part);
      if (!type.has_value()) {
        continue;
      }
      const std::optional<ConfigFilter> filter = make_config_filter(part.name, *type, environment);
      if (filter.has_value()) {
        sections_.apply(*filter);
      } else {
        report(Severity::kError, part, "type",
               fmt::format("config filter type {} is not built in yet: the values that use {} stay "
                           "as they are",
                           *type, part.name));
      }
    }
  }

  void read_channels() {
    for (Part& part : sections_.listed(PartKind::kChannels)) {
      named_channels_.insert(part.name);
      std::optional<std::string> type = type_of(PartKind::kChannels, part);
      if (type.has_value()) {
        channels_.insert(part.name);
        agent_.channels.push_back({part.name, std::move(*type), std::move(part.properties)});
      }
    }
  }

  void read_sources() {
    for (Part& part : sections_.listed(PartKind::kSources)) {
      std::optional<std::string> type = type_of(PartKind::kSources, part);
      std::vector<std::string> channels = channels_of_source(part);
      if (type.has_value() && !channels.empty()) {
        narrow_channels(part.properties, channels);
        agent_.sources.push_back(
            {part.name, std::move(*type), std::move(channels), std::move(part.properties)});
      }
    }
  }

  void read_sinks() {
    for (Part& part : sections_.listed(PartKind::kSinks)) {
      named_sinks_.insert(part.name);
      std::optional<std::string> type = type_of(PartKind::kSinks, part);
      std::optional<std::string> channel = channel_of_sink(part);
      if (type.has_value() && channel.has_value()) {
        agent_.sinks.push_back(
            {part.name, std::move(*type), std::move(*channel), std::move(part.properties)});
      }
    }
  }

  void read_sink_groups() {
    for (Part& part : sections_.listed(PartKind::kSinkGroups)) {
      std::vector<std::string> sinks = sinks_of_group(part);
      if (!sinks.empty()) {
        const std::string processor(part.properties.value_or("processor.type", "default"));
        agent_.sink_groups.push_back(
            {part.name, std::move(sinks), processor, std::move(part.properties)});
      }
    }
  }

  // nullopt, said, when the part has no type.
  std::optional<std::string> type_of(PartKind kind, const Part& part) {
    if (const Property* const type = part.properties.find("type")) {
      return type->value;
    }
    std::vector<std::string_view> keys;
    for (const Property& property : part.properties.entries()) {
      keys.push_back(property.key);
    }
    report(Severity::kError, part, "type",
           fmt::format("is required and missing: {} {} is left out", singular(kind), part.name),
           nearest_name("type", keys).empty()
               ? ""
               : fmt::format("\"{}\" is there", nearest_name("type", keys)));
    return std::nullopt;
  }

  std::vector<std::string> channels_of_source(const Part& part) {
    const Property* const list = part.properties.find("channels");
    if (list == nullptr) {
      report(Severity::kError, part, "channels",
             fmt::format("No channels configured for source {}: it is left out", part.name),
             part.properties.find("channel") != nullptr ? "a source's key is \"channels\"" : "");
      return {};
    }
    std::vector<std::string> usable;
    for (const std::string& name : split_words(list->value)) {
      if (channels_.count(name) == 0) {
        report_channel(part, *list, name);
      } else if (std::find(usable.begin(), usable.end(), name) == usable.end()) {
        usable.push_back(name);
      }
    }
    if (usable.empty()) {
      report(Severity::kError, part, "channels",
             fmt::format("No channels configured for source {}: it is left out", part.name));
    }
    return usable;
  }

  std::optional<std::string> channel_of_sink(const Part& part) {
    const Property* const channel = part.properties.find("channel");
    if (channel == nullptr) {
      report(Severity::kError, part, "channel",
             fmt::format("is required and missing: sink {} is left out", part.name),
             part.properties.find("channels") != nullptr ? "a sink's key is \"channel\"" : "");
      return std::nullopt;
    }
    if (channels_.count(channel->value) == 0) {
      report_channel(part, *channel, channel->value);
      report(Severity::kError, part, "channel", fmt::format("sink {} is left out", part.name));
      return std::nullopt;
    }
    return channel->value;
  }

  // Says what is the matter with a channel's name.
  void report_channel(const Part& part, const Property& property, const std::string& name) {
    if (named_channels_.empty()) {
      return;  // That there is no channel at all is said once.
    }
    if (named_channels_.count(name) != 0) {
      report(Severity::kError, part, property.key,
             fmt::format("channel {} is not in the active set: it was left out", name));
      return;
    }
    const bool is_list = property.key == "channel" && split_words(name).size() > 1;
    report(Severity::kError, part, property.key,
           fmt::format("channel {} is not in the active set", name),
           is_list ? "a sink takes from one channel" : did_you_mean(nearest(name, channels_)));
  }

  std::vector<std::string> sinks_of_group(const Part& part) {
    const Property* const list = part.properties.find("sinks");
    if (list == nullptr) {
      report(Severity::kError, part, "sinks",
             fmt::format("is required and missing: sink group {} is left out", part.name));
      return {};
    }
    std::vector<std::string> usable;
    for (const std::string& name : split_words(list->value)) {
      const auto owner = group_of_sink_.find(name);
      if (owner != group_of_sink_.end()) {
        report(Severity::kError, part, "sinks",
               fmt::format("sink {} is already in sink group {}", name, owner->second));
      } else if (!has_sink(name)) {
        report_sink(part, name);
      } else {
        group_of_sink_.emplace(name, part.name);
        usable.push_back(name);
      }
    }
    if (usable.empty()) {
      report(Severity::kError, part, "sinks",
             fmt::format("sink group {} has no sink: it is left out", part.name));
    }
    return usable;
  }

  void report_sink(const Part& part, const std::string& name) {
    const bool was_named = named_sinks_.count(name) != 0;
    report(Severity::kError, part, "sinks",
           fmt::format("sink {} {}", name, was_named ? "was left out" : "is not there"),
           was_named ? "" : did_you_mean(nearest(name, named_sinks_)));
  }

  bool has_sink(const std::string& name) const {
    return std::any_of(agent_.sinks.begin(), agent_.sinks.end(),
                       [&](const SinkConfig& sink) { return sink.name == name; });
  }

  static std::string_view nearest(std::string_view name, const NameSet& names) {
    return nearest_name(name, {names.begin(), names.end()});
  }

  // The source's own list says which channels it has, too.
  static void narrow_channels(PropertySection& properties,
                              const std::vector<std::string>& channels) {
    Property list = *properties.find("channels");
    list.value.clear();
    for (const std::string& name : channels) {
      list.value += (list.value.empty() ? "" : " ") + name;
    }
    properties.set(std::move(list));
  }

  bool is_usable() {
    if (agent_.channels.empty()) {
      sections_.report(Severity::kError, "channels", nullptr,
                       sections_.has_list(PartKind::kChannels)
                           ? "no channel is usable: agent " + agent_.name + " is not run"
                           : "is missing or empty: agent " + agent_.name + " is not run",
                       "");
      return false;
    }
    if (agent_.sources.empty() && agent_.sinks.empty()) {
      sections_.report(
          Severity::kError, "sources", nullptr,
          "neither a source nor a sink is usable: agent " + agent_.name + " is not run", "");
      return false;
    }
    warn_without(PartKind::kSources);
    warn_without(PartKind::kSinks);
    return true;
  }

  void warn_without(PartKind kind) {
    if (!sections_.has_list(kind)) {
      sections_.report(Severity::kWarning, plural(kind), nullptr,
                       fmt::format("is missing: agent {} has no {}", agent_.name, singular(kind)),
                       "");
    }
  }

  void drop_unused_channels() {
    NameSet used;
    for (const SourceConfig& source : agent_.sources) {
      used.insert(source.channels.begin(), source.channels.end());
    }
    for (const SinkConfig& sink : agent_.sinks) {
      used.insert(sink.channel);
    }
    std::vector<ChannelConfig> kept;
    for (ChannelConfig& channel : agent_.channels) {
      if (used.count(channel.name) != 0) {
        kept.push_back(std::move(channel));
        continue;
      }
      const Part part{channel.name, std::move(channel.properties)};
      report(Severity::kWarning, part, "type",
             fmt::format("channel {} has neither a source nor a sink: it is left out", part.name));
    }
    agent_.channels = std::move(kept);
  }

  // About `key` of a part; where it is not there, the part's first entry gives the place.
  void report(Severity severity, const Part& part, std::string_view key, std::string message,
              std::string hint = "") {
    const Property* const property = part.properties.find(key);
    const Property& place = property != nullptr ? *property : part.properties.entries().front();
    diagnostics_.add({severity, place.file, place.line, part.properties.prefix() + std::string(key),
                      "", std::move(message), std::move(hint)});
  }

  AgentSections& sections_;
  Diagnostics& diagnostics_;
  AgentConfig agent_;
  NameSet channels_;        // Usable.
  NameSet named_channels_;  // Listed, with keys.
  NameSet named_sinks_;
  std::map<std::string, std::string, std::less<>> group_of_sink_;
};

void report_no_agent(const PropertySection& resolved, std::string_view name,
                     Diagnostics& diagnostics) {
  const std::vector<std::string> names = agent_names(resolved);
  std::string list;
  for (const std::string& other : names) {
    list += (list.empty() ? "" : ", ") + other;
  }
  diagnostics.add({Severity::kError,
                   resolved.empty() ? std::string() : resolved.entries().front().file, 0, "", "",
                   fmt::format("No configuration found for this host:{}", name),
                   names.empty() ? "no agent is defined" : "the agents that are there: " + list});
}

// "a1" of "a1.sources.r1.port" where the second word is a kind; else empty.
std::string_view agent_of(std::string_view full_key) {
  const std::string_view key = trim(full_key);
  const std::size_t dot = key.find('.');
  if (dot == 0 || dot == std::string_view::npos) {
    return {};
  }
  const std::string_view rest = key.substr(dot + 1);
  return kind_of(rest.substr(0, rest.find('.'))).has_value() ? key.substr(0, dot)
                                                             : std::string_view();
}

}  // namespace

std::vector<std::string> agent_names(const PropertySection& resolved) {
  std::vector<std::string> names;
  std::set<std::string_view> seen;
  for (const Property& property : resolved.entries()) {
    const std::string_view name = agent_of(property.full_key);
    if (!name.empty() && seen.insert(name).second) {
      names.emplace_back(name);
    }
  }
  return names;
}

std::optional<AgentConfig> read_agent(const PropertySection& resolved, std::string_view name,
                                      const TextMap& environment, Diagnostics& diagnostics) {
  AgentSections sections(resolved, std::string(name), diagnostics);
  if (sections.empty()) {
    report_no_agent(resolved, name, diagnostics);
    return std::nullopt;
  }
  return AgentReader(sections, diagnostics).read(environment);
}

void check_loose_keys(const PropertySection& resolved,
                      const std::set<std::string, std::less<>>& referenced,
                      Diagnostics& diagnostics) {
  const std::vector<std::string> names = agent_names(resolved);
  const std::set<std::string_view> agents(names.begin(), names.end());
  for (const Property& property : resolved.entries()) {
    const std::string_view key = trim(property.full_key);
    const std::size_t dot = key.find('.');
    const bool has_agent = dot != std::string_view::npos && agents.count(key.substr(0, dot)) != 0;
    if (has_agent || referenced.count(property.full_key) != 0) {
      continue;
    }
    const bool is_bare = dot == 0 || dot == std::string_view::npos;
    diagnostics.add({Severity::kWarning, property.file, property.line, property.full_key, "",
                     is_bare ? "begins with no agent's name and has no effect"
                             : "has no known kind behind the agent's name and has no effect",
                     "a key is AGENT.sources|channels|sinks|sinkgroups.NAME.KEY"});
  }
}

}  // namespace millrace
