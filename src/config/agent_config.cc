#include "config/agent_config.h"

#include <fmt/core.h>

#include <utility>

#include "config/agent_reader.h"
#include "config/agent_sections.h"

namespace millrace {

namespace {

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

// "a1" of "a1.sources.r1.port" where the second word is a kind that makes an agent; else empty.
std::string_view agent_of(std::string_view full_key) {
  const std::string_view key = trim(full_key);
  const std::size_t dot = key.find('.');
  if (dot == 0 || dot == std::string_view::npos) {
    return {};
  }
  const std::string_view rest = key.substr(dot + 1);
  const std::optional<PartKind> kind = kind_of(rest.substr(0, rest.find('.')));
  return kind.has_value() && kind != PartKind::kTests ? key.substr(0, dot) : std::string_view();
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
  return AgentReader(std::move(sections), diagnostics).read(environment);
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
