#include "cli/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace millrace {
namespace {

const PlannedSinkGroup* group_of(const Topology& topology, const std::string& sink) {
  const auto found = std::find_if(
      topology.sink_groups.begin(), topology.sink_groups.end(), [&](const PlannedSinkGroup& group) {
        return std::find(group.sinks.begin(), group.sinks.end(), sink) != group.sinks.end();
      });
  return found == topology.sink_groups.end() ? nullptr : &*found;
}

std::string plan_of(const PlannedSinkGroup& group) {
  return group.prepared.make({group.sinks})->plan();
}

// Lines of a tree; a mark in front says what each hangs on.
class Tree {
 public:
  void root(const std::string& line) { text_ += line + "\n"; }
  void branch(int depth, const std::string& line) {
    text_ += std::string(static_cast<std::size_t>(depth) * 4, ' ') + "-> " + line + "\n";
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string sink_line(const Topology& topology, const PlannedSink& sink) {
  std::string line = fmt::format("sink {} ({})", sink.name, sink.type);
  if (const PlannedSinkGroup* group = group_of(topology, sink.name)) {
    line += fmt::format(", of sink group {}", group->name);
  }
  if (sink.rejection.has_dead_letter()) {
    line += ", dead letters to " + sink.rejection.target();
  }
  return line;
}

void add_channel(Tree& tree, const Topology& topology, const PlannedChannel& channel) {
  tree.branch(1, fmt::format("channel {} ({})", channel.name, channel.type));
  for (const PlannedSink& sink : topology.sinks) {
    if (sink.channel == channel.name) {
      tree.branch(2, sink_line(topology, sink));
    }
  }
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void add_source(Tree& tree, const Topology& topology, const PlannedSource& source) {
  std::string line = fmt::format("source {} ({})", source.name, source.type);
  for (const PlannedInterceptor& interceptor : source.interceptors) {
    line += fmt::format(" -> interceptor {}", interceptor.name);
  }
  if (source.channels.size() > 1) {
    line += fmt::format(" -> selector {}", source.selector_type);
  }
  tree.root(line);
  for (const PlannedChannel& channel : topology.channels) {
    if (contains(source.channels, channel.name)) {
      add_channel(tree, topology, channel);
    }
  }
}

// What no source puts into: dead letters come there, or what is inside is emptied.
void add_unfed(Tree& tree, const Topology& topology) {
  for (const PlannedChannel& channel : topology.channels) {
    const bool is_fed = std::any_of(
        topology.sources.begin(), topology.sources.end(),
        [&](const PlannedSource& source) { return contains(source.channels, channel.name); });
    if (!is_fed) {
      tree.root("no source");
      add_channel(tree, topology, channel);
    }
  }
}

// A text in DOT's double quotes.
std::string dot_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
    }
    out += c;
  }
  return out + "\"";
}

std::string node(std::string_view kind, const std::string& name, std::string_view type,
                 std::string_view shape) {
  // The line end between the two is DOT's, not one of the texts'.
  std::string label = dot_text(name);
  label.pop_back();
  return fmt::format("  {} [shape={}, label={}\\n{}];\n",
                     dot_text(fmt::format("{} {}", kind, name)), shape, label,
                     dot_text(type).substr(1));
}

std::string edge(const std::string& from, const std::string& to, std::string_view marks = {}) {
  return fmt::format("  {} -> {}{};\n", dot_text(from), dot_text(to), marks);
}

std::string sinks_dot(const Topology& topology) {
  std::string dot;
  for (const PlannedSink& sink : topology.sinks) {
    const std::string name = "sink " + sink.name;
    dot += node("sink", sink.name, sink.type, "box");
    dot += edge("channel " + sink.channel, name);
    if (!sink.rejection.channel.empty()) {
      dot += edge(name, "channel " + sink.rejection.channel,
                  " [style=dashed, label=\"dead letters\"]");
    }
  }
  for (const PlannedSinkGroup& group : topology.sink_groups) {
    dot +=
        fmt::format("  subgraph {} {{\n    label={};\n", dot_text("cluster_" + group.name),
                    dot_text(fmt::format("{} ({}): {}", group.name, group.type, plan_of(group))));
    for (const std::string& sink : group.sinks) {
      dot += fmt::format("    {};\n", dot_text("sink " + sink));
    }
    dot += "  }\n";
  }
  return dot;
}

}  // namespace

std::string explain_text(const Topology& topology) {
  Tree tree;
  tree.root("agent " + topology.agent);
  for (const PlannedSource& source : topology.sources) {
    add_source(tree, topology, source);
  }
  add_unfed(tree, topology);
  for (const PlannedSinkGroup& group : topology.sink_groups) {
    tree.root(fmt::format("sink group {} ({}): {}", group.name, group.type, plan_of(group)));
  }
  return tree.text();
}

std::string explain_dot(const Topology& topology) {
  std::string dot = fmt::format("digraph {} {{\n  rankdir=LR;\n", dot_text(topology.agent));
  for (const PlannedSource& source : topology.sources) {
    std::string type = source.type;
    for (const PlannedInterceptor& interceptor : source.interceptors) {
      type += ", " + interceptor.name;
    }
    dot += node("source", source.name, type, "box");
    const std::string selector = source.channels.size() > 1
                                     ? fmt::format(" [label={}]", dot_text(source.selector_type))
                                     : std::string();
    for (const std::string& channel : source.channels) {
      dot += edge("source " + source.name, "channel " + channel, selector);
    }
  }
  for (const PlannedChannel& channel : topology.channels) {
    dot += node("channel", channel.name, channel.type, "cylinder");
  }
  return dot + sinks_dot(topology) + "}\n";
}

}  // namespace millrace
