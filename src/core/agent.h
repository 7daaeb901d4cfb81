// An agent at work: builds the components of a topology, starts them in order, keeps them running,
// stops them in order.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/channel_processor.h"
#include "core/component.h"
#include "core/sink_runner.h"
#include "core/topology.h"

namespace millrace {

// How a part is, for /health and the log.
struct PartHealth {
  std::string part;  // "source r1"
  bool ok = true;
  std::string message;
  // Of a sink: its group, whose other sinks deliver what it does not. Empty otherwise.
  std::string group{};
};

// Start: channels, sinks, sources. Stop: sources (they read what their sockets hold), sinks (they
// drain the channels), channels. What does not start is tried again every 3 s, as Flume's
// supervisor does, unless only the operator can mend it. Threads: start(), stop(), start_part(),
// stop_part() on the control thread, the rest on any.
class Agent {
 public:
  static constexpr auto kRetryEvery = std::chrono::seconds(3);
  // When a stop says for the first time what it waits for, and how often from then on.
  static constexpr auto kSlowStop = std::chrono::seconds(5);
  static constexpr auto kSlowStopAgain = std::chrono::seconds(30);

  struct Environment {
    Clock& clock;
    FileSystem& files;
    MetricsRegistry& metrics;
    std::size_t memory_budget;  // Bytes of events in flight.
  };
  Agent(const Topology& topology, Environment environment);
  ~Agent();

  // Builds and starts all parts; returns when each was tried once.
  void start();
  // Idempotent. Returns soon after `drain` at the latest.
  void stop(std::chrono::milliseconds drain);

  // One part, by its name as PartHealth has it.
  Result<> start_part(std::string_view name);
  Result<> stop_part(std::string_view name, std::chrono::milliseconds drain);

  std::vector<PartHealth> health() const;
  // Every part runs.
  bool ready() const;
  // The parts that are being stopped, and what each one waits for.
  std::vector<PartHealth> stopping() const;
  EventLoop& loop();

 private:
  class Part;
  class ChannelPart;
  class SinkPart;
  class SourcePart;

  void build(const Topology& topology);
  void build_sinks(const Topology& topology);
  std::unique_ptr<SinkDrain> make_drain(const std::string& agent, const PlannedSink& plan);
  SinkDrain::Options drain_options(const std::string& agent, const PlannedSink& plan);
  Services& next_services();
  const ChannelPart& channel(std::string_view name) const;
  void stop_sinks(SteadyTime deadline);
  void tell_of_slow_stop(const std::stop_token& done, SteadyTime deadline) const;
  std::vector<Part*> parts() const;
  Part* find(std::string_view name) const;
  void supervise(const std::stop_token& stop);

  const Environment environment_;
  ByteBudget budget_;
  SlabPool slabs_;
  std::vector<std::unique_ptr<EventLoop>> loops_;
  std::vector<std::unique_ptr<Services>> services_;  // One a loop.
  std::size_t next_loop_ = 0;
  // In the order of starting. Sources go before the channels whose callbacks reach into them.
  std::vector<std::unique_ptr<ChannelPart>> channels_;
  std::vector<std::unique_ptr<SinkPart>> sinks_;
  std::vector<std::unique_ptr<SourcePart>> sources_;
  std::mutex control_;  // One start or stop at a time.
  bool stopped_ = false;
  std::jthread supervisor_;
};

}  // namespace millrace
