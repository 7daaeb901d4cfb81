// The graph of an agent as `check --explain` prints it.
#pragma once

#include <string>

#include "core/topology.h"

namespace millrace {

// A tree from each source: its interceptors, its channels, their sinks.
std::string explain_text(const Topology& topology);
// For Graphviz: `dot -Tsvg`.
std::string explain_dot(const Topology& topology);

}  // namespace millrace
