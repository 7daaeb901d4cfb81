// The keys of one agent, sorted into kinds and parts: the first step of read_agent().
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "config/config_filter.h"
#include "config/diagnostics.h"
#include "config/property_section.h"

namespace millrace {

// Tests are unit tests of the configuration: an agent does not look at them.
enum class PartKind { kSources, kChannels, kSinks, kSinkGroups, kConfigFilters, kTests };

inline constexpr std::array<std::string_view, 6> kKindWords{"sources",    "channels",      "sinks",
                                                            "sinkgroups", "configfilters", "tests"};

// The word of the list key, "sources", and of one part, "source".
std::string_view plural(PartKind kind);
std::string_view singular(PartKind kind);
std::optional<PartKind> kind_of(std::string_view word);

// A part that is listed and has keys.
struct Part {
  std::string name;
  PropertySection properties;
};

class AgentSections {
 public:
  // Takes the entries below "name." from the set. Odd keys and empty values are left out, with a
  // warning.
  AgentSections(const PropertySection& resolved, std::string name, Diagnostics& diagnostics);

  const std::string& name() const { return name_; }
  bool empty() const { return first_ == nullptr; }

  // The parts of `kind` in the order of their list. One that is listed and has no keys is an error,
  // one that has keys and is not listed a warning.
  std::vector<Part> listed(PartKind kind) const;
  // Whether the list is there with a name in it.
  bool has_list(PartKind kind) const;
  // Applies `filter` to the values of all parts but the filters themselves.
  void apply(const ConfigFilter& filter);
  // Of uses of filters that are none of `known`.
  void warn_of_unknown_filters(const std::vector<std::string_view>& known) const;

  // An error or warning about a key of the agent ("sources.r1.type") that may not be there: its
  // place is then that of `near`, or the agent's first entry.
  void report(Severity severity, std::string_view key, const Property* near, std::string message,
              std::string hint) const;

 private:
  struct Kind {
    std::optional<Property> list;
    std::vector<std::string> order;  // Of first mention.
    std::map<std::string, std::vector<Property>, std::less<>> parts;
  };

  void add(Property property);
  void add_to_part(PartKind kind, std::string_view rest, Property property);
  std::vector<std::string_view> unlisted_parts(PartKind kind,
                                               const std::set<std::string_view>& known) const;
  void warn_of_unlisted(PartKind kind, const std::vector<std::string_view>& unlisted) const;
  void apply(const ConfigFilter& filter, Property& property) const;
  Kind& at(PartKind kind) { return kinds_.at(static_cast<std::size_t>(kind)); }
  const Kind& at(PartKind kind) const { return kinds_.at(static_cast<std::size_t>(kind)); }

  std::string name_;
  Diagnostics& diagnostics_;
  std::array<Kind, kKindWords.size()> kinds_;
  const Property* first_ = nullptr;  // In the set that the constructor was given.
};

}  // namespace millrace
