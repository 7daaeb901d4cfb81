// Agent: makes the parts of a topology.
#include <algorithm>
#include <set>
#include <utility>

#include "base/check.h"
#include "core/agent.h"
#include "core/agent_parts.h"
#include "core/channel_dead_letter.h"
#include "core/plan_rejections.h"

namespace millrace {
namespace {

// Only then does one deliver what another one does not.
bool take_from_one_channel(const Topology& topology, const PlannedSinkGroup& group) {
  std::set<std::string_view> channels;
  for (const std::string& sink : group.sinks) {
    channels.insert(topology.sink(sink)->channel);
  }
  return channels.size() == 1;
}

}  // namespace

Services& Agent::next_services() {
  return *services_[next_loop_++ % services_.size()];
}

void Agent::build(const Topology& topology) {
  // Half of the budget waits in channels, evenly; the other half is for what is being read and
  // sent.
  const std::size_t share =
      environment_.memory_budget / 2 / std::max<std::size_t>(topology.channels.size(), 1);
  for (const PlannedChannel& plan : topology.channels) {
    MetricGroup& metrics = environment_.metrics.group("CHANNEL", plan.name);
    channels_.push_back(std::make_unique<ChannelPart>(
        plan, ChannelContext{plan.name, *services_.front(), metrics, share}));
  }
  build_sinks(topology);
  for (const PlannedSource& plan : topology.sources) {
    MetricGroup& metrics = environment_.metrics.group("SOURCE", plan.name);
    std::vector<const ChannelPart*> to;
    for (const std::string& name : plan.channels) {
      to.push_back(&channel(name));
    }
    sources_.push_back(std::make_unique<SourcePart>(plan, std::move(to), next_services(), metrics));
  }
}

// A part for each group whose sinks take turns, and for each other sink.
void Agent::build_sinks(const Topology& topology) {
  const auto add = [&](const std::string& name, const std::string& group,
                       const std::vector<std::string>& members,
                       std::unique_ptr<SinkProcessor> processor) {
    std::vector<const ChannelPart*> from;
    std::vector<std::unique_ptr<SinkDrain>> drains;
    std::size_t stage = 0;
    for (const std::string& member : members) {
      const PlannedSink& plan = *topology.sink(member);
      from.push_back(&channel(plan.channel));
      drains.push_back(make_drain(topology.agent, plan));
      stage = std::max(stage, letter_stage(topology, plan));
    }
    sinks_.push_back(std::make_unique<SinkPart>(name, group, std::move(from), std::move(drains),
                                                std::move(processor), environment_.clock, stage));
  };
  std::set<std::string_view> in_groups;
  for (const PlannedSinkGroup& group : topology.sink_groups) {
    in_groups.insert(group.sinks.begin(), group.sinks.end());
    std::unique_ptr<SinkProcessor> processor = group.prepared.make({group.sinks});
    const std::string shared = take_from_one_channel(topology, group) ? group.name : "";
    if (group.sinks.size() > 1 && !processor->is_parallel()) {
      add("sink group " + group.name, shared, group.sinks, std::move(processor));
      continue;
    }
    for (const std::string& sink : group.sinks) {
      add("sink " + sink, shared, {sink}, group.prepared.make({{sink}}));
    }
  }
  for (const PlannedSink& sink : topology.sinks) {
    if (!in_groups.contains(sink.name)) {
      add("sink " + sink.name, "", {sink.name}, std::make_unique<DefaultSinkProcessor>(sink.name));
    }
  }
}

std::unique_ptr<SinkDrain> Agent::make_drain(const std::string& agent, const PlannedSink& plan) {
  MetricGroup& metrics = environment_.metrics.group("SINK", plan.name);
  const std::shared_ptr<Channel>& from = channel(plan.channel).channel();
  return std::make_unique<SinkDrain>(
      plan.name, from,
      plan.prepared.make({plan.name, *services_.front(), metrics, from->durable()}), metrics,
      environment_.clock, drain_options(agent, plan));
}

SinkDrain::Options Agent::drain_options(const std::string& agent, const PlannedSink& plan) {
  const RejectionConfig& rejection = plan.rejection;
  SinkDrain::Options options;
  options.on_rejected = rejection.drops() ? OnRejected::kDrop : OnRejected::kHold;
  DeadLetterRoute& route = options.dead_letter;
  route.target_name = rejection.target();
  route.head = {agent + ".sinks." + plan.name, plan.channel};
  route.slabs = &slabs_;
  if (!rejection.directory.empty()) {
    route.target = make_letter_files(rejection, {agent, plan.name, *services_.front()});
  } else if (!rejection.channel.empty()) {
    std::shared_ptr<Channel> to = channel(rejection.channel).channel();
    if (channel(plan.channel).channel()->durable() && !to->durable()) {
      log_warning("sink " + plan.name,
                  "its dead letters go from channel {}, which is durable, to "
                  "channel {}, which is not",
                  plan.channel, rejection.channel);
    }
    route.target = std::make_unique<ChannelDeadLetter>(rejection.channel, std::move(to), slabs_);
  }
  return options;
}

// The topology names no other channels than its own.
const Agent::ChannelPart& Agent::channel(std::string_view name) const {
  const auto found = std::find_if(channels_.begin(), channels_.end(),
                                  [&](const auto& part) { return part->short_name() == name; });
  CHECK(found != channels_.end());
  return **found;
}

}  // namespace millrace
