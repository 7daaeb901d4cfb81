#include "core/agent.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "base/check.h"
#include "base/stoppable_condition.h"
#include "core/agent_parts.h"
#include "core/channel_dead_letter.h"
#include "core/plan_rejections.h"
#include "io/event_loop.h"

namespace millrace {
namespace {

// Loops for network sources: one serves some 9 million events a second; more only where many cores
// are.
std::size_t loop_count() {
  return std::clamp<std::size_t>(std::thread::hardware_concurrency() / 4, 1, 4);
}

// All at once: one that waits for its clients or its destination does not eat the others' time.
template <class Parts>
void stop_all(Parts& parts, SteadyTime deadline) {
  std::vector<std::jthread> stopping;
  for (const auto& part : parts) {
    stopping.emplace_back([&part, deadline] { part->stop(deadline); });
  }
}

// Only then does one deliver what another one does not.
bool take_from_one_channel(const Topology& topology, const PlannedSinkGroup& group) {
  std::set<std::string_view> channels;
  for (const std::string& sink : group.sinks) {
    channels.insert(topology.sink(sink)->channel);
  }
  return channels.size() == 1;
}

}  // namespace

Agent::Agent(const Topology& topology, Environment environment)
    : environment_(environment), budget_(environment.memory_budget), slabs_(budget_) {
  for (std::size_t i = 0; i < loop_count(); ++i) {
    loops_.push_back(std::make_unique<EventLoop>("loop-" + std::to_string(i)));
    services_.push_back(std::make_unique<Services>(Services{
        environment_.clock, environment_.files, slabs_, environment_.metrics, *loops_.back()}));
  }
  build(topology);
}

Agent::~Agent() {
  stop(std::chrono::milliseconds(0));
  // Loops end first: what was posted to them refers to the parts.
  for (const std::unique_ptr<EventLoop>& loop : loops_) {
    loop->stop();
  }
  sources_.clear();
  sinks_.clear();
  channels_.clear();
}

EventLoop& Agent::loop() {
  return *loops_.front();
}

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

std::vector<Agent::Part*> Agent::parts() const {
  std::vector<Part*> all;
  const auto add = [&all](const auto& parts) {
    for (const auto& part : parts) {
      all.push_back(part.get());
    }
  };
  add(channels_);
  add(sinks_);
  add(sources_);
  return all;
}

void Agent::start() {
  const std::lock_guard lock(control_);
  for (Part* part : parts()) {
    static_cast<void>(part->start());  // Said and remembered by the part.
  }
  supervisor_ = std::jthread([this](const std::stop_token& stop) { supervise(stop); });
}

void Agent::supervise(const std::stop_token& stop) {
  while (rest(stop, kRetryEvery)) {
    const std::lock_guard lock(control_);
    for (Part* part : parts()) {
      if (part->wants_retry()) {
        static_cast<void>(part->start());
      }
    }
  }
}

void Agent::stop(std::chrono::milliseconds drain) {
  if (supervisor_.joinable()) {
    supervisor_.request_stop();
    supervisor_.join();
  }
  const std::lock_guard lock(control_);
  if (std::exchange(stopped_, true)) {
    return;
  }
  const SteadyTime deadline = environment_.clock.steady() + drain;
  const std::jthread teller(
      [&](const std::stop_token& done) { tell_of_slow_stop(done, deadline); });
  stop_all(sources_, deadline);
  stop_sinks(deadline);
  for (const auto& part : channels_) {
    part->say_what_is_left();
  }
  stop_all(channels_, deadline);
}

// Those that take dead letters end behind those that may still write some. Who came before may have
// used the time up, waiting for room: the sinks get a last moment all the same.
void Agent::stop_sinks(SteadyTime deadline) {
  std::map<std::size_t, std::vector<SinkPart*>> stages;
  for (const std::unique_ptr<SinkPart>& sink : sinks_) {
    stages[sink->stage()].push_back(sink.get());
  }
  for (const auto& [stage, sinks] : stages) {
    stop_all(sinks, std::max(deadline, environment_.clock.steady() + std::chrono::seconds(1)));
  }
}

void Agent::tell_of_slow_stop(const std::stop_token& done, SteadyTime deadline) const {
  for (auto wait = kSlowStop; rest(done, wait); wait = kSlowStopAgain) {
    const auto left =
        std::chrono::ceil<std::chrono::seconds>(deadline - environment_.clock.steady()).count();
    for (const PartHealth& part : stopping()) {
      log_warning(part.part, "is still stopping, with {} s left: {}",
                  std::max<std::int64_t>(left, 0), part.message);
    }
  }
}

std::vector<PartHealth> Agent::stopping() const {
  std::vector<PartHealth> all;
  for (const Part* part : parts()) {
    if (part->stopping()) {
      all.push_back({part->name(), false, part->awaited()});
    }
  }
  return all;
}

Agent::Part* Agent::find(std::string_view name) const {
  const std::vector<Part*> all = parts();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Part* part) { return part->name() == name; });
  return found == all.end() ? nullptr : *found;
}

Result<> Agent::start_part(std::string_view name) {
  const std::lock_guard lock(control_);
  Part* part = find(name);
  return part != nullptr ? part->start() : bad_config("no part " + std::string(name));
}

Result<> Agent::stop_part(std::string_view name, std::chrono::milliseconds drain) {
  const std::lock_guard lock(control_);
  Part* part = find(name);
  if (part == nullptr) {
    return bad_config("no part " + std::string(name));
  }
  part->stop(environment_.clock.steady() + drain);
  return {};
}

std::vector<PartHealth> Agent::health() const {
  std::vector<PartHealth> all;
  for (const Part* part : parts()) {
    part->add_health(all);
  }
  return all;
}

bool Agent::ready() const {
  const std::vector<Part*> all = parts();
  return std::all_of(all.begin(), all.end(), [](const Part* part) { return part->running(); });
}

}  // namespace millrace
