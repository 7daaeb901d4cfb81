// `millrace check`: what is wrong in a configuration, all at once, and what it would do.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/cli.h"
#include "cli/configuration.h"
#include "cli/explain.h"
#include "cli/idle_services.h"
#include "cli/options.h"
#include "cli/words.h"

namespace millrace {
namespace {

struct CheckOptions {
  std::vector<std::string> files;
  std::string name;
  std::string explain;  // "text" or "dot": the graph alone, in place of the description.
};

// Channels say themselves what they promise: they are made for that, and never started.
class Promises {
 public:
  explicit Promises(std::size_t budget) : idle_(budget) {}

  std::string of(const PlannedChannel& plan, std::size_t share) {
    const std::unique_ptr<Channel> channel = make(plan, share);
    return fmt::format("{} (room for {} events, {} in a transaction)", channel->promise(),
                       channel->capacity(), channel->transaction_capacity());
  }
  bool is_durable(const Topology& topology, std::string_view name) {
    return std::any_of(
        topology.channels.begin(), topology.channels.end(),
        [&](const PlannedChannel& plan) { return plan.name == name && make(plan, 0)->durable(); });
  }

 private:
  std::unique_ptr<Channel> make(const PlannedChannel& plan, std::size_t share) {
    return plan.prepared.make(ChannelContext{plan.name, idle_.services,
                                             idle_.metrics.group("CHANNEL", plan.name), share});
  }

  IdleServices idle_;
};

// Where the events go that the sink cannot deliver; empty: they are held.
std::string fate_of_rejected(const Topology& topology, const PlannedSink& sink,
                             Promises& promises) {
  const RejectionConfig& rejection = sink.rejection;
  if (!rejection.has_dead_letter()) {
    return rejection.drops() ? "dropped" : "";
  }
  const bool is_weaker = !rejection.channel.empty() &&
                         promises.is_durable(topology, sink.channel) &&
                         !promises.is_durable(topology, rejection.channel);
  return fmt::format("{}{}; {} while that takes none", rejection.target(),
                     is_weaker ? ", which is not durable as " + sink.channel + " is" : "",
                     rejection.drops() ? "dropped" : "held");
}

void describe_sinks(const Topology& topology, Promises& promises) {
  for (const PlannedSink& sink : topology.sinks) {
    fmt::print("  {} -> sink {} ({})\n", sink.channel, sink.name, sink.type);
    if (const std::string fate = fate_of_rejected(topology, sink, promises); !fate.empty()) {
      fmt::print("    what it rejects -> {}\n", fate);
    }
  }
  for (const PlannedSinkGroup& group : topology.sink_groups) {
    fmt::print("  sink group {} ({}): {}\n", group.name, group.type,
               group.prepared.make({group.sinks})->plan());
  }
}

void describe(const Topology& topology, const MemoryBudget& budget) {
  fmt::print("agent {}\n", topology.agent);
  for (const PlannedSource& source : topology.sources) {
    std::string text = fmt::format("  source {} ({})", source.name, source.type);
    for (const PlannedInterceptor& interceptor : source.interceptors) {
      text += fmt::format(" -> {}", interceptor.name);
    }
    const std::string selector =
        source.channels.size() > 1 ? fmt::format(" ({})", source.selector_type) : "";
    fmt::print("{} -> {}{}\n", text, fmt::join(source.channels, ", "), selector);
  }
  // As the agent shares the budget: half of it waits in channels, evenly.
  const std::size_t share = budget.bytes / 2 / std::max<std::size_t>(topology.channels.size(), 1);
  Promises promises(budget.bytes);
  for (const PlannedChannel& channel : topology.channels) {
    fmt::print("  channel {}: {}\n", channel.name, promises.of(channel, share));
  }
  describe_sinks(topology, promises);
  fmt::print("  memory for events in flight: {} ({}), {} of it for each channel\n",
             size_text(budget.bytes), budget.origin, size_text(share));
}

int check(const CheckOptions& options, const JavaFlags& java) {
  Diagnostics diagnostics;
  std::vector<Topology> topologies;
  if (const auto files = load_files(options.files, java, diagnostics)) {
    for (const std::string& name : chosen_agents(*files, options.name, diagnostics)) {
      if (auto topology = load_agent(*files, name, diagnostics)) {
        topologies.push_back(std::move(*topology));
      }
    }
  }
  const std::string findings = diagnostics.to_string();
  if (!options.explain.empty()) {
    fmt::print(stderr, "{}", findings);
    for (const Topology& topology : topologies) {
      fmt::print("{}", options.explain == "dot" ? explain_dot(topology) : explain_text(topology));
    }
    return diagnostics.has_errors() ? kBadConfiguration : kDone;
  }
  fmt::print("{}", findings);
  for (const Topology& topology : topologies) {
    describe(topology, memory_budget(java, topology.sources.size()));
  }
  fmt::print("{}, {}\n", counted(diagnostics.error_count(), "error"),
             counted(diagnostics.warning_count(), "warning"));
  return diagnostics.has_errors() ? kBadConfiguration : kDone;
}

}  // namespace

int run_check(const CommandLine& line) {
  CheckOptions arguments;
  std::vector<std::string> more;
  Options options("check", "Says what is wrong in configuration files and what they would do.");
  options.rest("FILE", arguments.files, 0, "Files in .properties form; later ones override.");
  options.list("-f,--conf-file", more, "The same, as `agent` takes them.");
  options.text("-n,--name", arguments.name, "This agent alone; else all that the files define.");
  options.choice("--explain", arguments.explain, {"text", "dot"},
                 "Print the graph alone: a tree, or DOT for Graphviz; findings go to stderr.");
  options.footer(
      "Reads files alone: starts nothing, opens no port, makes no folder.\n"
      "Exit status 78 when something is wrong; warnings leave it at 0.");
  if (const auto status = options.parse(line)) {
    return *status;
  }
  arguments.files.insert(arguments.files.end(), more.begin(), more.end());
  if (arguments.files.empty()) {
    return options.refuse("which FILE?");
  }
  return check(arguments, line.java);
}

}  // namespace millrace
