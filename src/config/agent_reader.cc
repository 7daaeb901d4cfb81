#include "config/agent_reader.h"

#include <fmt/core.h>

#include <algorithm>

#include "config/nearest_name.h"

namespace millrace {

std::optional<AgentConfig> AgentReader::read(const TextMap& environment) {
  agent_.name = sections_.name();
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

void AgentReader::apply_filters(const TextMap& environment) {
  std::vector<Part> parts = sections_.listed(PartKind::kConfigFilters);
  std::vector<std::string_view> names;
  for (const Part& part : parts) {
    names.push_back(part.name);
  }
  sections_.warn_of_unknown_filters(names);
  for (Part& part : parts) {
    const std::optional<std::string> type = type_of(PartKind::kConfigFilters, part);
    if (!type.has_value()) {
      continue;
    }
    if (!is_config_filter(*type)) {
      report(Severity::kError, part, "type",
             fmt::format("config filter type {} is not built in yet: the values that use {} stay "
                         "as they are",
                         *type, part.name));
    } else if (const auto filter = make_config_filter(part.name, *type, part.properties,
                                                      environment, diagnostics_)) {
      sections_.apply(*filter);
    }
  }
}

void AgentReader::read_channels() {
  for (Part& part : sections_.listed(PartKind::kChannels)) {
    named_channels_.insert(part.name);
    std::optional<std::string> type = type_of(PartKind::kChannels, part);
    if (type.has_value()) {
      channels_.insert(part.name);
      agent_.channels.push_back({part.name, std::move(*type), std::move(part.properties)});
    }
  }
}

void AgentReader::read_sources() {
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

void AgentReader::read_sinks() {
  for (Part& part : sections_.listed(PartKind::kSinks)) {
    named_sinks_.insert(part.name);
    std::optional<std::string> type = type_of(PartKind::kSinks, part);
    std::optional<std::string> channel = channel_of_sink(part);
    if (type.has_value() && channel.has_value()) {
      sinks_.insert(part.name);
      agent_.sinks.push_back(
          {part.name, std::move(*type), std::move(*channel), std::move(part.properties)});
    }
  }
}

void AgentReader::read_sink_groups() {
  for (Part& part : sections_.listed(PartKind::kSinkGroups)) {
    std::vector<std::string> sinks = sinks_of_group(part);
    if (!sinks.empty()) {
      const std::string processor(part.properties.value_or("processor.type", "default"));
      agent_.sink_groups.push_back(
          {part.name, std::move(sinks), processor, std::move(part.properties)});
    }
  }
}

std::optional<std::string> AgentReader::type_of(PartKind kind, const Part& part) {
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

std::vector<std::string> AgentReader::channels_of_source(const Part& part) {
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
      report_channel(part, *list, name, "");
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

std::optional<std::string> AgentReader::channel_of_sink(const Part& part) {
  const Property* const channel = part.properties.find("channel");
  if (channel == nullptr) {
    report(Severity::kError, part, "channel",
           fmt::format("is required and missing: sink {} is left out", part.name),
           part.properties.find("channels") != nullptr ? "a sink's key is \"channel\"" : "");
    return std::nullopt;
  }
  if (channels_.count(channel->value) == 0) {
    report_channel(part, *channel, channel->value, ": sink " + part.name + " is left out");
    return std::nullopt;
  }
  return channel->value;
}

void AgentReader::report_channel(const Part& part, const Property& property,
                                 const std::string& name, const std::string& consequence) {
  if (named_channels_.empty() && consequence.empty()) {
    return;  // That there is no channel at all is said once.
  }
  const bool was_named = named_channels_.count(name) != 0;
  const bool is_list = property.key == "channel" && split_words(name).size() > 1;
  std::string hint =
      is_list ? "a sink takes from one channel" : did_you_mean(nearest(name, channels_));
  report(Severity::kError, part, property.key,
         fmt::format("channel {} is not in the active set{}", name, consequence),
         was_named ? "it was left out itself" : std::move(hint));
}

std::vector<std::string> AgentReader::sinks_of_group(const Part& part) {
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
    } else if (sinks_.count(name) == 0) {
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

void AgentReader::report_sink(const Part& part, const std::string& name) {
  const bool was_named = named_sinks_.count(name) != 0;
  report(Severity::kError, part, "sinks",
         fmt::format("sink {} {}", name, was_named ? "was left out" : "is not there"),
         was_named ? "" : did_you_mean(nearest(name, named_sinks_)));
}

std::string_view AgentReader::nearest(std::string_view name, const Names& names) {
  return nearest_name(name, {names.begin(), names.end()});
}

void AgentReader::narrow_channels(PropertySection& properties,
                                  const std::vector<std::string>& channels) {
  Property list = *properties.find("channels");
  list.value.clear();
  for (const std::string& name : channels) {
    list.value += (list.value.empty() ? "" : " ") + name;
  }
  properties.set(std::move(list));
}

bool AgentReader::is_usable() {
  if (agent_.channels.empty()) {
    sections_.report(Severity::kError, "channels", nullptr,
                     sections_.has_list(PartKind::kChannels)
                         ? "no channel is usable: agent " + agent_.name + " is not run"
                         : "is missing or empty: agent " + agent_.name + " is not run",
                     "");
    return false;
  }
  if (agent_.sources.empty() && agent_.sinks.empty()) {
    sections_.report(Severity::kError, "sources", nullptr,
                     "neither a source nor a sink is usable: agent " + agent_.name + " is not run",
                     "");
    return false;
  }
  warn_without(PartKind::kSources);
  warn_without(PartKind::kSinks);
  return true;
}

void AgentReader::warn_without(PartKind kind) {
  if (!sections_.has_list(kind)) {
    sections_.report(Severity::kWarning, plural(kind), nullptr,
                     fmt::format("is missing: agent {} has no {}", agent_.name, singular(kind)),
                     "");
  }
}

void AgentReader::drop_unused_channels() {
  Names used;
  for (const SourceConfig& source : agent_.sources) {
    used.insert(source.channels.begin(), source.channels.end());
  }
  const auto add_dead_letter = [&used](const PropertySection& properties) {
    used.emplace(properties.value_or("dead-letter.channel", ""));
  };
  for (const SinkConfig& sink : agent_.sinks) {
    used.insert(sink.channel);
    add_dead_letter(sink.properties);
  }
  for (const ChannelConfig& channel : agent_.channels) {
    add_dead_letter(channel.properties);
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

void AgentReader::report(Severity severity, const Part& part, std::string_view key,
                         std::string message, std::string hint) {
  const Property* const property = part.properties.find(key);
  const Property& place = property != nullptr ? *property : part.properties.entries().front();
  diagnostics_.add({severity, place.file, place.line, part.properties.prefix() + std::string(key),
                    "", std::move(message), std::move(hint)});
}

}  // namespace millrace
