// The validated graph of one agent: every component's keys read and found good, every name
// resolved.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/registry.h"
#include "core/rejection_config.h"

namespace millrace {

struct PlannedChannel {
  std::string name;
  std::string type;
  Prepared<Channel, ChannelContext> prepared;
};

struct PlannedInterceptor {
  std::string name;
  Prepared<Interceptor, InterceptorContext> prepared;
};

struct PlannedSource {
  std::string name;
  std::string type;
  std::vector<std::string> channels;  // Names; at least one.
  std::string selector_type;
  Prepared<Source, SourceContext> prepared;
  Prepared<Selector, SelectorContext> selector;
  std::vector<PlannedInterceptor> interceptors;

  // In their order.
  std::vector<std::unique_ptr<Interceptor>> make_interceptors(Services& services) const;
};

struct PlannedSink {
  std::string name;
  std::string type;
  std::string channel;
  RejectionConfig rejection;
  Prepared<Sink, SinkContext> prepared;
};

struct PlannedSinkGroup {
  std::string name;
  std::string type;                // Of its processor.
  std::vector<std::string> sinks;  // Names; at least one.
  Prepared<SinkProcessor, SinkProcessorContext> prepared;
};

// What is valid of an agent's configuration; the rest was left out with a diagnostic that says why.
struct Topology {
  std::string agent;
  std::vector<PlannedChannel> channels;
  std::vector<PlannedSource> sources;
  std::vector<PlannedSink> sinks;
  std::vector<PlannedSinkGroup> sink_groups;  // A sink is in one at most.

  bool empty() const { return sources.empty() && sinks.empty(); }
  const PlannedSink* sink(std::string_view name) const;  // Null when there is none.
};

struct AgentConfig;

// Binds every component's keys through the registries. All faults go to `diagnostics`; what has one
// is left out, and with it what depends on it, as Flume does (its materialisation, Flume 1.11
// AbstractConfigurationProvider): a source or sink whose batch is larger than a channel's
// transactionCapacity, a source without a channel, a channel that nothing uses, the sinks of a
// group whose processor has a fault.
Topology plan_topology(const AgentConfig& config, Diagnostics& diagnostics);

}  // namespace millrace
