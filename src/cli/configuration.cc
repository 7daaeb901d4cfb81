#include "cli/configuration.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "cli/java_properties.h"
#include "config/agent_config.h"
#include "config/configuration_files.h"
#include "config/lookups.h"
#include "io/file_system.h"
#include "io/memory_limit.h"
#include "source/tls_server_config.h"

namespace millrace {
namespace {

// With less, a source may wait for ever for the first of its slabs.
constexpr std::size_t kLeastBudget = std::size_t{16} << 20;
constexpr std::size_t kLeastOfSource = std::size_t{1} << 20;

LookupContext lookups(const JavaFlags& java) {
  const TextMap defines(java.properties.begin(), java.properties.end());
  return process_lookups(defines, std::chrono::system_clock::now());
}

}  // namespace

std::optional<LoadedFiles> load_files(const std::vector<std::string>& paths, const JavaFlags& java,
                                      Diagnostics& diagnostics) {
  set_tls_system_properties({java.properties.begin(), java.properties.end()});
  const std::vector<std::filesystem::path> files(paths.begin(), paths.end());
  std::optional<Interpolated> resolved =
      load_configuration(real_file_system(), files, lookups(java), diagnostics);
  if (!resolved) {
    return std::nullopt;
  }
  report_idle_properties(java, resolved->referenced, diagnostics);
  LoadedFiles loaded{std::move(*resolved), {}};
  loaded.agents = agent_names(loaded.resolved.properties);
  return loaded;
}

std::vector<std::string> chosen_agents(const LoadedFiles& files, const std::string& name,
                                       Diagnostics& diagnostics) {
  if (!name.empty()) {
    return {name};
  }
  if (files.agents.empty()) {
    Diagnostic fault;
    fault.message = "the files define no agent";
    diagnostics.add(std::move(fault));
  }
  return files.agents;
}

std::optional<Topology> load_agent(const LoadedFiles& files, const std::string& name,
                                   Diagnostics& diagnostics) {
  if (std::find(files.agents.begin(), files.agents.end(), name) == files.agents.end()) {
    Diagnostic fault;
    fault.message = no_such_agent(files, name);
    diagnostics.add(std::move(fault));
    return std::nullopt;
  }
  const LookupContext context = process_lookups({}, {});
  const std::optional<AgentConfig> config =
      read_agent(files.resolved.properties, name, context.environment, diagnostics);
  if (!config) {
    return std::nullopt;
  }
  Topology topology = plan_topology(*config, diagnostics);
  if (topology.empty()) {
    Diagnostic fault;
    fault.message = fmt::format("nothing of agent {} is usable", name);
    diagnostics.add(std::move(fault));
    return std::nullopt;
  }
  return topology;
}

std::string no_such_agent(const LoadedFiles& files, const std::string& name) {
  return fmt::format("no configuration for agent {}; {}", name,
                     files.agents.empty()
                         ? std::string("the files define none")
                         : fmt::format("the files define {}", fmt::join(files.agents, ", ")));
}

MemoryBudget memory_budget(const JavaFlags& java, std::size_t sources) {
  const std::size_t least = std::max(kLeastBudget, sources * kLeastOfSource);
  const std::string of_sources =
      least > kLeastBudget ? fmt::format(" with {} sources", sources) : "";
  if (java.most_memory_bytes && *java.most_memory_bytes < least) {
    return {least, "the least that works" + of_sources + "; -Xmx asked for less"};
  }
  if (java.most_memory_bytes) {
    return {static_cast<std::size_t>(*java.most_memory_bytes), "-Xmx"};
  }
  const auto share = static_cast<std::size_t>(default_memory_budget(real_file_system()));
  if (share < least) {
    return {least, "the least that works" + of_sources};
  }
  return {share, "a quarter of the machine's or container's memory"};
}

}  // namespace millrace
