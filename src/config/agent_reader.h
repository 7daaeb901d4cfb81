// The steps of read_agent(), in Flume's order.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/agent_config.h"
#include "config/agent_sections.h"
#include "config/diagnostics.h"

namespace millrace {

// Reads the parts in Flume's order, each against the ones that were found usable before it.
class AgentReader {
 public:
  AgentReader(AgentSections sections, Diagnostics& diagnostics)
      : sections_(std::move(sections)), diagnostics_(diagnostics) {}

  // Once.
  std::optional<AgentConfig> read(const TextMap& environment);

 private:
  using Names = std::set<std::string, std::less<>>;

  void apply_filters(const TextMap& environment);
  void read_channels();
  void read_sources();
  void read_sinks();
  void read_sink_groups();
  // nullopt, said, when the part has no type.
  std::optional<std::string> type_of(PartKind kind, const Part& part);
  std::vector<std::string> channels_of_source(const Part& part);
  std::optional<std::string> channel_of_sink(const Part& part);
  // Says what is the matter with the channel `name`, and what follows for the part.
  void report_channel(const Part& part, const Property& property, const std::string& name,
                      const std::string& consequence);
  std::vector<std::string> sinks_of_group(const Part& part);
  void report_sink(const Part& part, const std::string& name);
  static std::string_view nearest(std::string_view name, const Names& names);
  // The source's own list says which channels it has, too.
  static void narrow_channels(PropertySection& properties,
                              const std::vector<std::string>& channels);
  bool is_usable();
  void warn_without(PartKind kind);
  void drop_unused_channels();
  // About `key` of a part; where it is not there, the part's first entry gives the place.
  void report(Severity severity, const Part& part, std::string_view key, std::string message,
              std::string hint = "");

  AgentSections sections_;
  Diagnostics& diagnostics_;
  AgentConfig agent_;
  Names channels_;        // Usable.
  Names named_channels_;  // Listed, with keys.
  Names sinks_;           // Usable.
  Names named_sinks_;     // Listed, with keys.
  std::map<std::string, std::string, std::less<>> group_of_sink_;
};

}  // namespace millrace
