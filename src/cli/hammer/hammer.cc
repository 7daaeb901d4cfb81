// `millrace hammer`: numbered senders, to load an agent and to prove that nothing is lost.
#include <fmt/core.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <memory>
#include <optional>
#include <thread>

#include "cli/cli.h"
#include "cli/hammer/plan.h"
#include "cli/hammer/report.h"
#include "cli/hammer/sender.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/words.h"

namespace millrace {
namespace {

constexpr std::chrono::milliseconds kTick{50};

volatile std::sig_atomic_t interrupts = 0;

void on_interrupt(int) {
  interrupts = interrupts + 1;
}

struct Totals {
  std::uint64_t handed = 0;
  std::uint64_t acknowledged = 0;
  std::uint64_t again = 0;
  std::uint64_t refused = 0;
  std::uint64_t broken = 0;
};

using Senders = std::vector<std::unique_ptr<Sender>>;

Totals add_up(const Senders& senders) {
  Totals totals;
  for (const auto& sender : senders) {
    for (const auto& flow : sender->flows()) {
      const FlowCounts& counts = flow->counts();
      totals.handed += counts.handed;
      totals.acknowledged += counts.acknowledged;
      totals.again += counts.again;
      totals.refused += counts.refused;
      totals.broken += counts.broken;
    }
  }
  return totals;
}

// One interrupt: what is open is settled first. Two: at once.
void obey_interrupts(RunControl& control) {
  control.enough = control.enough || interrupts > 0;
  control.give_up = control.give_up || interrupts > 1;
}

void run_senders(Senders& senders, RunControl& control, const HammerOptions& options,
                 bool progress) {
  const auto now = [] { return std::chrono::steady_clock::now(); };
  std::size_t flows = 0;
  for (const auto& sender : senders) {
    flows += sender->flows().size();
  }
  ProgressDisplay display(progress, options.count * flows, now());
  const auto is_running = [](const auto& sender) { return sender->is_running(); };
  for (const auto& sender : senders) {
    sender->start();
  }
  while (std::any_of(senders.begin(), senders.end(), is_running)) {
    std::this_thread::sleep_for(kTick);
    obey_interrupts(control);
    display.show(add_up(senders).handed, now());
  }
  for (const auto& sender : senders) {
    sender->join();
  }
  display.end(add_up(senders).handed, now());
}

std::vector<Interval> intervals_of(const std::vector<NumberRange>& ranges) {
  std::vector<Interval> intervals;
  for (const NumberRange& range : ranges) {
    if (!intervals.empty() && intervals.back().last + 1 >= range.first) {
      intervals.back().last = std::max(intervals.back().last, range.first + range.count - 1);
    } else {
      intervals.push_back({range.first, range.first + range.count - 1});
    }
  }
  return intervals;
}

FlowReport report_of(const Flow& flow, const std::vector<NumberRange>& open) {
  const FlowCounts& counts = flow.counts();
  FlowReport report;
  report.hammer = flow.hammer();
  report.first = flow.first();
  report.next = flow.next_number();
  report.acknowledged = counts.acknowledged;
  report.again = counts.again;
  report.refused = counts.refused;
  report.broken = counts.broken;
  report.unsettled = intervals_of(open);
  return report;
}

HammerReport report_of(const Senders& senders, const HammerOptions& options, double seconds) {
  HammerReport report{options.run, options.protocol, options.size, seconds, true, {}};
  for (const auto& sender : senders) {
    report.complete = report.complete && sender->trouble().empty();
    for (std::size_t i = 0; i < sender->flows().size(); ++i) {
      report.hammers.push_back(report_of(*sender->flows()[i], sender->open_numbers(i)));
      report.complete = report.complete && report.hammers.back().unsettled.empty();
    }
  }
  std::sort(report.hammers.begin(), report.hammers.end(),
            [](const FlowReport& a, const FlowReport& b) { return a.hammer < b.hammer; });
  return report;
}

void print_summary(const HammerOptions& options, const Totals& totals, double seconds) {
  const double rate = static_cast<double>(totals.handed) / std::max(seconds, 1e-9);
  fmt::print("run {}: sent {} events of {} bytes in {:.2f} s: {} ev/s, {:.1f} MB/s\n", options.run,
             with_commas(totals.handed), options.size, seconds,
             with_commas(static_cast<std::uint64_t>(rate)),
             rate * static_cast<double>(options.size + 1) / 1e6);
  if (options.protocol == "netcat") {
    fmt::print("acknowledged={} refused={}\n", totals.acknowledged, totals.refused);
  }
  if (totals.again > 0 || totals.broken > 0) {
    fmt::print("sent again={} connections lost={}\n", totals.again, totals.broken);
  }
}

// An empty one, before a long run is made for a report that cannot be written, and in place of an
// older one that would pass for this run's if it were killed.
Result<> begin_report(const Senders& senders, const HammerOptions& options,
                      const std::string& path) {
  if (path.empty()) {
    return {};
  }
  HammerReport report = report_of(senders, options, 0);
  report.complete = false;
  return write_hammer_report(report, path);
}

int finish(const Senders& senders, const HammerOptions& options, const std::string& report_path,
           double seconds) {
  print_summary(options, add_up(senders), seconds);
  const HammerReport report = report_of(senders, options, seconds);
  int status = report.complete ? kDone : kFailedAtWork;
  for (const auto& sender : senders) {
    if (!sender->trouble().empty()) {
      fmt::print(stderr, "millrace hammer: {}\n", sender->trouble());
    }
  }
  if (!report_path.empty()) {
    const Result<> written = write_hammer_report(report, report_path);
    if (!written.ok()) {
      fmt::print(stderr, "millrace hammer: {}\n", written.error().message());
      status = kFailedAtWork;
    }
  }
  return status;
}

struct Arguments {
  HammerOptions hammer;
  std::optional<std::string> run;
  std::string report;
  bool progress = false;
};

void describe(Options& options, Arguments& to) {
  HammerOptions& hammer = to.hammer;
  options.number("-N,--flows", hammer.flows, 0, 10'000, "Hammers; 0: one a port.");
  options.text("--host", hammer.host, "Where to.");
  options.number("--port", hammer.port, 1, 65'535, "Port of hammer 0; the next one has the next.");
  options.list("--ports", hammer.ports, "Ports of the hammers, \"10001,10002\".");
  options.flag("--same-port", hammer.same_port, "All hammers send to --port.");
  options.choice("--protocol", hammer.protocol, {"syslog", "netcat"},
                 "netcat waits for an OK a line, and sends again what gets none.");
  options.number("--size", hammer.size, 1, 1 << 24, "Bytes of an event on the wire, no newline.");
  options.number("--count", hammer.count, 0, kNumberLimit, "Events a hammer; 0: no limit.");
  options.number("--seconds", hammer.seconds, 0, 1e9, "How long; 0: no limit.");
  options.number("--rate", hammer.rate, 0, 1e12, "Events a second in all; 0: no limit.");
  options.number("--connections", hammer.connections, 1, 100'000, "Connections a hammer.");
  options.number("--window", hammer.window, 1, 1'000'000, "Lines without an answer (netcat).");
  options.choice("--pad", hammer.padding, {"x", "words"}, "Padding: the letter x, random words.");
  options.number("--start", hammer.first, 0, kNumberLimit - 1, "First number.");
  options.text("--run-id", to.run, "Name of the run, in each event; else one is drawn.");
  options.number("--give-up", hammer.give_up, 0.1, 1e6, "Seconds without progress.");
  options.number("--threads", hammer.threads, 0, 1024, "0: one for two cores.");
  options.text("--report", to.report, "File for what was sent, for verify --sent.");
  options.flag("--progress", to.progress, "Show how far it is.");
}

}  // namespace

int run_hammer(const CommandLine& line) {
  Arguments arguments;
  Options options("hammer", "Sends numbered events over TCP and says what was sent.");
  describe(options, arguments);
  if (const auto status = options.parse(line)) {
    return *status;
  }
  arguments.hammer.run = arguments.run ? *arguments.run : random_run_id();
  Result<std::vector<SenderPlan>> plans = plan_senders(arguments.hammer);
  if (!plans.ok() && plans.error().fault() == Fault::kConfig) {
    return options.refuse(plans.error().message());
  }
  if (!plans.ok()) {
    fmt::print(stderr, "millrace hammer: {}\n", plans.error().message());
    return kFailedAtWork;
  }
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  RunControl control;
  Senders senders;
  for (const SenderPlan& plan : plans.value()) {
    senders.push_back(std::make_unique<Sender>(plan, control));
  }
  if (const Result<> may = begin_report(senders, arguments.hammer, arguments.report); !may.ok()) {
    fmt::print(stderr, "millrace hammer: {}\n", may.error().message());
    return kFailedAtWork;
  }
  const SteadyTime start = std::chrono::steady_clock::now();
  run_senders(senders, control, arguments.hammer, arguments.progress);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  return finish(senders, arguments.hammer, arguments.report, took.count());
}

}  // namespace millrace
