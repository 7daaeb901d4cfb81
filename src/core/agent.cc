#include "core/agent.h"

#include <algorithm>
#include <functional>
#include <map>

#include "base/stoppable_condition.h"
#include "core/agent_parts.h"
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
