// Goal: an agent that does not stop at once says what it waits for. Method: a whole agent whose
// sink has no folder until the test makes it.
#include "core/agent.h"

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

}  // namespace
}  // namespace millrace
