// What `agent`, `check` and `test` do alike: from the files that the operator names to a topology.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/java_flags.h"
#include "config/diagnostics.h"
#include "config/interpolation.h"
#include "core/topology.h"

namespace millrace {

// The merged and resolved files, and the agents that they define.
struct LoadedFiles {
  Interpolated resolved;
  std::vector<std::string> agents;
};

// Nothing, said in `diagnostics`, when a file cannot be read.
std::optional<LoadedFiles> load_files(const std::vector<std::string>& paths, const JavaFlags& java,
                                      Diagnostics& diagnostics);

// `name` alone, or where that is empty all agents of the files; said when they define none.
std::vector<std::string> chosen_agents(const LoadedFiles& files, const std::string& name,
                                       Diagnostics& diagnostics);

// What is usable of agent `name`; nothing, said, when there is no such agent or nothing of it is.
std::optional<Topology> load_agent(const LoadedFiles& files, const std::string& name,
                                   Diagnostics& diagnostics);

// "no configuration for agent a9; the files define a1, a2"
std::string no_such_agent(const LoadedFiles& files, const std::string& name);

// Bytes of events that may be in flight, and where that comes from, for people.
struct MemoryBudget {
  std::size_t bytes;
  std::string origin;
};
// So many sources have a slab for bodies and one for headers each, and as much again in batches.
MemoryBudget memory_budget(const JavaFlags& java, std::size_t sources = 0);

}  // namespace millrace
