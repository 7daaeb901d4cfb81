// Goal: an agent that does not stop at once says what it waits for. Method: a whole agent whose
// sink has no folder until the test makes it.
#include "core/agent.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "cli/configuration.h"
#include "core/testing.h"
#include "io/temp_folder.h"

namespace millrace {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;
using testing_kit::eventually;

class AgentStopTest : public ::testing::Test {
 protected:
  AgentStopTest() {
    const std::string file = (folder / "a1.conf").string();
    std::ofstream(file) << "a1.sources = r1\na1.channels = c1\na1.sinks = k1\n"
                           "a1.sources.r1.type = seq\na1.sources.r1.totalEvents = 3\n"
                           "a1.sources.r1.channels = c1\na1.channels.c1.type = memory\n"
                           "a1.sinks.k1.type = file_roll\na1.sinks.k1.channel = c1\n"
                           "a1.sinks.k1.sink.directory = "
                        << output.string() << "\n";
    Diagnostics diagnostics;
    const auto files = load_files({file}, {}, diagnostics);
    const auto topology = files ? load_agent(*files, "a1", diagnostics) : std::nullopt;
    EXPECT_TRUE(topology) << diagnostics.to_string();
    agent = std::make_unique<Agent>(
        *topology, Agent::Environment{clock, real_file_system(), metrics, 64 << 20});
    agent->start();
    EXPECT_TRUE(eventually([&] { return accepted.value() == 3; }));
  }

  TempFolder folder;
  std::filesystem::path output = folder / "not-there";
  SystemClock clock;
  MetricsRegistry metrics;
  Counter& accepted = metrics.group("SOURCE", "r1").counter("EventAcceptedCount");
  std::unique_ptr<Agent> agent;
};

TEST_F(AgentStopTest, SaysWhatItWaitsForUntilThatHasCome) {
  EXPECT_TRUE(agent->stopping().empty());
  std::jthread stopper([&] { agent->stop(60s); });
  std::vector<PartHealth> waiting;
  const bool waits = eventually([&] {
    waiting = agent->stopping();
    return waiting.size() == 1 && waiting[0].part == "sink k1";
  });
  std::filesystem::create_directory(output);
  stopper.join();
  ASSERT_TRUE(waits);
  EXPECT_THAT(waiting[0].message,
              AllOf(HasSubstr("channel c1 holds 3 events; "), HasSubstr(output.string())));
  EXPECT_TRUE(agent->stopping().empty());
}

// Goal: no source waits for memory for ever that others hold without using it. Method: many with
// the least memory that they get, each with slabs for bodies and for headers.
TEST(AgentMemoryTest, EverySourceHasEnoughToGoOn) {
  constexpr int kSources = 80;
  const TempFolder folder;
  const std::string file = (folder / "a1.conf").string();
  std::string sources;
  std::string keys;
  for (int i = 0; i < kSources; ++i) {
    sources += fmt::format(" r{}", i);
    keys += fmt::format(
        "a1.sources.r{0}.type = seq\na1.sources.r{0}.totalEvents = 1000\n"
        "a1.sources.r{0}.channels = c1\na1.sources.r{0}.interceptors = i1\n"
        "a1.sources.r{0}.interceptors.i1.type = timestamp\n",
        i);
  }
  std::ofstream(file) << "a1.channels = c1\na1.sinks = k1\na1.sources =" << sources << "\n"
                      << keys << "a1.channels.c1.type = memory\na1.sinks.k1.type = null\n"
                      << "a1.sinks.k1.channel = c1\n";
  Diagnostics diagnostics;
  const auto files = load_files({file}, {}, diagnostics);
  const auto topology = files ? load_agent(*files, "a1", diagnostics) : std::nullopt;
  ASSERT_TRUE(topology) << diagnostics.to_string();
  SystemClock clock;
  MetricsRegistry metrics;
  JavaFlags java;
  java.most_memory_bytes = 1;
  const MemoryBudget budget = memory_budget(java, kSources);
  Agent agent(*topology, Agent::Environment{clock, real_file_system(), metrics, budget.bytes});
  agent.start();
  Counter& drained = metrics.group("SINK", "k1").counter("EventDrainSuccessCount");
  EXPECT_TRUE(eventually([&] { return drained.value() == kSources * 1000; }))
      << drained.value() << " of " << kSources * 1000;
  agent.stop(10s);
}

}  // namespace
}  // namespace millrace
