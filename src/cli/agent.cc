// `millrace agent`: runs an agent until it is told to stop.
#include "core/agent.h"

#include <semaphore.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <ctime>
#include <memory>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/log.h"
#include "base/metrics.h"
#include "cli/agent_options.h"
#include "cli/cli.h"
#include "cli/configuration.h"
#include "io/file_system.h"
#include "io/open_file_limit.h"
#include "web/monitoring.h"

namespace millrace {
namespace {

// Handlers rather than a blocked mask: children of exec sources would inherit that.
sem_t signalled;
std::atomic<bool> stop_wanted = false;
std::atomic<bool> report_wanted = false;

void on_stop_signal(int) {
  stop_wanted = true;
  ::sem_post(&signalled);
}

// A JVM answers `kill -3` with a dump of its threads and goes on.
void on_report_signal(int) {
  report_wanted = true;
  ::sem_post(&signalled);
}

// Writes then report EPIPE, or EFBIG. Not SIG_IGN, which children would inherit.
void on_failed_write(int) {}

void handle(int number, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  ::sigaction(number, &action, nullptr);
}

void catch_signals() {
  ::sem_init(&signalled, 0, 0);
  std::signal(SIGPIPE, on_failed_write);
  std::signal(SIGXFSZ, on_failed_write);  // A file at the limit that `ulimit -f` sets.
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) {
    struct sigaction before {};
    ::sigaction(number, nullptr, &before);
    if (number == SIGHUP && before.sa_handler == SIG_IGN) {
      continue;  // nohup: it outlives its terminal.
    }
    handle(number, on_stop_signal);
  }
  handle(SIGQUIT, on_report_signal);
}

// Until a signal has come or the time is over.
void wait_for_signal(std::chrono::seconds most) {
  timespec until{};
  ::clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_sec += most.count();
  ::sem_clockwait(&signalled, CLOCK_MONOTONIC, &until);
}

void report(const Agent& agent) {
  for (const PartHealth& part : agent.health()) {
    const std::string ok = part.message.empty() ? "ok" : "ok, " + part.message;
    log_info("agent", "{}: {}", part.part, part.ok ? ok : part.message);
  }
}

// SIGHUP does not: a terminal that goes away may send it more than once.
void let_second_signal_kill() {
  log_info("agent", "stopping; a second signal ends at once");
  for (const int number : {SIGTERM, SIGINT}) {
    std::signal(number, SIG_DFL);
  }
}

void log_findings(const Diagnostics& diagnostics) {
  for (const Diagnostic& finding : diagnostics.items()) {
    const LogLevel level =
        finding.severity == Severity::kError ? LogLevel::kError : LogLevel::kWarning;
    log_line(level, "config", finding.to_string());
  }
}

// What is usable of the agent; all findings are logged.
std::optional<Topology> load(const AgentOptions& options, const JavaFlags& java) {
  Diagnostics diagnostics;
  std::optional<Topology> topology;
  if (const auto files = load_files(options.files, java, diagnostics)) {
    topology = load_agent(*files, options.name, diagnostics);
  }
  log_findings(diagnostics);
  return topology;
}

// The pages; nothing where none are wanted, or, said once, while the port cannot be had.
std::unique_ptr<Monitoring> start_monitoring(const AgentOptions& options, Agent& agent,
                                             const MetricsRegistry& metrics, bool first_try) {
  if (!options.monitoring) {
    return nullptr;
  }
  const auto health = [&agent] {
    std::vector<HealthLine> lines;
    for (PartHealth& part : agent.health()) {
      lines.push_back(
          {std::move(part.part), part.ok, std::move(part.message), std::move(part.group)});
    }
    return lines;
  };
  auto started = Monitoring::start(agent.loop(), *options.monitoring,
                                   {metrics, health, [&agent] { return agent.ready(); }});
  if (started.ok()) {
    return std::move(started).value();
  }
  if (first_try) {
    log_error("monitoring", "{}; it is tried again every {} s", started.error().message(),
              Agent::kRetryEvery.count());
  }
  return nullptr;
}

int run(const AgentOptions& options, const JavaFlags& java) {
  std::optional<Topology> topology = load(options, java);
  if (!topology) {
    log_error("agent", "nothing to run; see the errors above");
    return kBadConfiguration;
  }
  SystemClock clock;
  MetricsRegistry metrics;
  const MemoryBudget budget = memory_budget(java, topology->sources.size());
  Agent agent(*topology, {clock, real_file_system(), metrics, budget.bytes});
  catch_signals();
  if (const Result<std::uint64_t> limit = raise_open_file_limit(); !limit.ok()) {
    log_warning("agent", "{}", limit.error().message());
  }
  agent.start();
  log_info("agent", "{} is running; {} bytes of memory for events in flight ({})", options.name,
           budget.bytes, budget.origin);
  auto monitoring = start_monitoring(options, agent, metrics, true);
  while (!stop_wanted) {
    wait_for_signal(Agent::kRetryEvery);
    if (report_wanted.exchange(false)) {
      report(agent);
    }
    if (!monitoring && !stop_wanted) {
      monitoring = start_monitoring(options, agent, metrics, false);
    }
  }
  let_second_signal_kill();
  agent.stop(options.drain);
  log_info("agent", "{} has stopped", options.name);
  return kDone;
}

}  // namespace

int run_agent(const CommandLine& line) {
  int status = kDone;
  const std::optional<AgentOptions> options = parse_agent_options(line, status);
  if (!options) {
    return status;
  }
  set_log_level(options->log_level);
  for (const std::string& note : options->notes) {
    log_warning("agent", "{}", note);
  }
  return run(*options, line.java);
}

int run_node(const CommandLine& line) {
  log_warning("agent", "`node` is an old name; use `agent`");
  return run_agent(line);
}

}  // namespace millrace
