// `millrace test`: unit tests that stand in a configuration.
#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "cli/cli.h"
#include "cli/configuration.h"
#include "cli/idle_services.h"
#include "cli/options.h"
#include "cli/test/test_run.h"
#include "cli/words.h"

namespace millrace {
namespace {

struct TestedAgent {
  Topology topology;
  std::vector<UnitTest> tests;
};

// Agents with at least one test.
std::vector<TestedAgent> load(const std::vector<std::string>& paths, const std::string& name,
                              const JavaFlags& java, Diagnostics& diagnostics) {
  std::vector<TestedAgent> agents;
  const auto files = load_files(paths, java, diagnostics);
  if (!files) {
    return agents;
  }
  report_tests_of_no_agent(files->resolved, files->agents, diagnostics);
  for (const std::string& agent : chosen_agents(*files, name, diagnostics)) {
    if (auto topology = load_agent(*files, agent, diagnostics)) {
      TestedAgent& tested = agents.emplace_back();
      tested.topology = std::move(*topology);
      tested.tests = read_unit_tests(files->resolved.properties, tested.topology, diagnostics);
    }
  }
  std::erase_if(agents, [](const TestedAgent& agent) { return agent.tests.empty(); });
  if (agents.empty() && !diagnostics.has_errors()) {
    Diagnostic fault;
    fault.message = "there is no test: AGENT.tests lists them";
    diagnostics.add(std::move(fault));
  }
  return agents;
}

// `diagnostics` knows what a config filter put into the events.
void print(const TestFailure& failure, const Diagnostics& diagnostics) {
  fmt::print("{}:{}: {}\n  expected {}\n  got      {}\n", failure.at.file, failure.at.line,
             failure.at.full_key, failure.expected, diagnostics.masked(failure.got));
}

int run(const std::vector<TestedAgent>& agents, const Diagnostics& diagnostics,
        const JavaFlags& java) {
  std::size_t passed = 0;
  std::size_t failed = 0;
  for (const TestedAgent& agent : agents) {
    for (const UnitTest& test : agent.tests) {
      IdleServices idle(memory_budget(java).bytes);
      const std::vector<TestFailure> failures = run_unit_test(test, idle.services);
      fmt::print("test {}.{}: {}\n", agent.topology.agent, test.name,
                 failures.empty() ? "passed" : "failed");
      for (const TestFailure& failure : failures) {
        print(failure, diagnostics);
      }
      ++(failures.empty() ? passed : failed);
    }
  }
  fmt::print("{}: {} passed, {} failed\n", counted(passed + failed, "test"), with_commas(passed),
             with_commas(failed));
  return failed == 0 ? kDone : kFailedAtWork;
}

}  // namespace

int run_test(const CommandLine& line) {
  std::vector<std::string> files;
  std::vector<std::string> more;
  std::string name;
  Options options("test", "Runs the unit tests that stand in configuration files.");
  options.rest("FILE", files, 0, "Files in .properties form; later ones override.");
  options.list("-f,--conf-file", more, "The same, as `agent` takes them.");
  options.text("-n,--name", name, "This agent's alone; else those of all that the files define.");
  options.footer(
      "Puts events through a source's interceptors and selector and compares what its channels\n"
      "would get: opens no port and no channel.\n"
      "Exit status 1 when a test fails, 78 when the configuration or a test has an error.");
  if (const auto status = options.parse(line)) {
    return *status;
  }
  files.insert(files.end(), more.begin(), more.end());
  if (files.empty()) {
    return options.refuse("which FILE?");
  }
  Diagnostics diagnostics;
  const std::vector<TestedAgent> agents = load(files, name, line.java, diagnostics);
  fmt::print(stderr, "{}", diagnostics.to_string());
  return diagnostics.has_errors() ? kBadConfiguration : run(agents, diagnostics, line.java);
}

}  // namespace millrace
