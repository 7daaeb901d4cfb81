// Whole agents, from a configuration file, whose sink rejects some events.
#include <gtest/gtest.h>

#include <fstream>
#include <mutex>
#include <set>

#include "cli/configuration.h"
#include "cli/dead_letter/letters.h"
#include "core/agent.h"
#include "core/registry.h"
#include "core/testing.h"
#include "io/temp_folder.h"

namespace millrace {
namespace {

using namespace std::chrono_literals;
using Bodies = std::set<std::string>;

const std::string kReason = "a number that ends in 0";

// Delivers into this list, and rejects every tenth number. One agent at a time.
struct Delivered {
  std::mutex mutex;
  Bodies bodies;
  std::size_t count() {
    const std::lock_guard lock(mutex);
    return bodies.size();
  }
};
Delivered& delivered() {
  static Delivered all;
  return all;
}

struct TenthSinkConfig {
  std::uint32_t batch_size = 7;
  static constexpr auto fields() {
    return std::tuple{field("batchSize", &TenthSinkConfig::batch_size, "Events.").range(1, 1000)};
  }
  std::size_t events_per_transaction() const { return batch_size; }
};
class TenthSink final : public Sink {
 public:
  using Config = TenthSinkConfig;
  TenthSink(const Config& config, const SinkContext&) : config_(config) {}
  Result<> deliver(const EventBatch& batch, Rejects& rejects) override {
    const std::lock_guard lock(delivered().mutex);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (batch[i].body().ends_with('0')) {
        rejects.add(i, kReason);
      } else {
        delivered().bodies.emplace(batch[i].body());
      }
    }
    return {};
  }
  Result<> flush() override { return {}; }
  std::size_t batch_size() const override { return config_.batch_size; }

 private:
  const Config config_;
};
const RegisterSink<TenthSink> tenth_entry{"reject_tenth", "test.TenthSink"};

class DeadLetterAgentTest : public testing::Test {
 protected:
  DeadLetterAgentTest() { delivered().bodies.clear(); }

  // A flow of the numbers 0 to 99 into a sink that rejects ten of them.
  void start(const std::string& more) {
    const std::string file = (folder / "a1.conf").string();
    std::ofstream(file) << "a1.sources = r1\na1.sources.r1.type = seq\n"
                           "a1.sources.r1.totalEvents = 100\na1.sources.r1.channels = c1\n"
                           "a1.channels.c1.type = file\n"
                           "a1.channels.c1.checkpointDir = "
                        << (folder / "check").string()
                        << "\na1.channels.c1.dataDirs = " << (folder / "data").string()
                        << "\na1.sinks.k1.type = reject_tenth\na1.sinks.k1.channel = c1\n"
                        << more;
    Diagnostics diagnostics;
    const auto files = load_files({file}, {}, diagnostics);
    ASSERT_TRUE(files) << diagnostics.to_string();
    const auto topology = load_agent(*files, "a1", diagnostics);
    ASSERT_TRUE(topology && !diagnostics.has_errors()) << diagnostics.to_string();
    agent = std::make_unique<Agent>(
        *topology, Agent::Environment{clock, real_file_system(), metrics, 64 << 20});
    agent->start();
  }
  double channel_figure(std::string_view channel, std::string_view name) {
    for (const MetricSample& sample : metrics.group("CHANNEL", channel).samples()) {
      if (sample.name == name) {
        return sample.number;
      }
    }
    return -1;
  }
  std::uint64_t sink_figure(std::string_view name) {
    return metrics.group("SINK", "k1").counter(name).value();
  }
  std::string health_of(std::string_view part) {
    for (const PartHealth& health : agent->health()) {
      if (health.part == part) {
        return health.message;
      }
    }
    return "no such part";
  }
  Bodies letters() {
    Bodies bodies;
    std::vector<std::string> notes;
    for (const auto& path : letter_files_at(real_file_system(), folder / "dead").value()) {
      EXPECT_TRUE(read_letters(
                      real_file_system(), path,
                      [&](const Letter& letter) -> Result<bool> {
                        EXPECT_EQ(letter.component, "a1.sinks.k1");
                        EXPECT_EQ(letter.reason, kReason);
                        EXPECT_TRUE(bodies.emplace(letter.body).second) << letter.body;
                        return true;
                      },
                      notes)
                      .ok());
    }
    return bodies;
  }
  static Bodies tens() { return {"0", "10", "20", "30", "40", "50", "60", "70", "80", "90"}; }

  TempFolder folder;
  SystemClock clock;
  MetricsRegistry metrics;
  std::unique_ptr<Agent> agent;
};

TEST_F(DeadLetterAgentTest, LettersGoToTheFolderAndTheRestToTheSink) {
  start("a1.channels = c1\na1.sinks = k1\na1.sinks.k1.dead-letter.directory = " +
        (folder / "dead").string() + "\n");
  ASSERT_TRUE(testing_kit::eventually(
      [&] { return channel_figure("c1", "EventTakeSuccessCount") == 100; }));
  EXPECT_EQ(delivered().count(), 90u);
  EXPECT_EQ(letters(), tens());
  EXPECT_EQ(sink_figure("DeadLetterCount"), 10u);
  EXPECT_EQ(sink_figure("EventDrainSuccessCount"), 90u);
  EXPECT_EQ(channel_figure("c1", "EventHeldCount"), 0);
  EXPECT_EQ(health_of("sink k1"), "");
}

TEST_F(DeadLetterAgentTest, LettersGoIntoAChannelAndItsSinkStopsLast) {
  start(
      "a1.channels = c1 c2\na1.sinks = k2 k1\na1.sinks.k1.dead-letter.channel = c2\n"
      "a1.channels.c2.type = memory\na1.sinks.k2.type = file_roll\na1.sinks.k2.channel = c2\n"
      "a1.sinks.k2.sink.serializer = AVRO_EVENT\n"
      "a1.sinks.k2.sink.pathManager.extension = avro\n"
      "a1.sinks.k2.sink.directory = " +
      folder.path().string() + "\n");
  ASSERT_TRUE(testing_kit::eventually([&] { return sink_figure("DeadLetterCount") > 0; }));
  agent->stop(20s);
  EXPECT_EQ(channel_figure("c1", "EventTakeSuccessCount"), 100);
  EXPECT_EQ(channel_figure("c2", "EventPutSuccessCount"), 10);
  EXPECT_EQ(channel_figure("c2", "EventTakeSuccessCount"), 10) << "nothing is left in memory";
}

TEST_F(DeadLetterAgentTest, ADeadLetterThatCannotBeWrittenHoldsAndIsNamed) {
  std::ofstream(folder / "dead") << "a file where the folder should be";
  start("a1.channels = c1\na1.sinks = k1\na1.sinks.k1.dead-letter.directory = " +
        (folder / "dead").string() + "\n");
  ASSERT_TRUE(testing_kit::eventually([&] { return delivered().count() == 90; }));
  ASSERT_TRUE(
      testing_kit::eventually([&] { return channel_figure("c1", "EventHeldCount") == 10; }));
  const std::string health = health_of("sink k1");
  EXPECT_TRUE(health.starts_with("the dead letter, directory ")) << health;
  EXPECT_TRUE(health.ends_with("; 10 events are held")) << health;
  std::filesystem::remove(folder / "dead");
  ASSERT_TRUE(testing_kit::eventually([&] { return sink_figure("DeadLetterCount") == 10; }));
  ASSERT_TRUE(testing_kit::eventually([&] { return health_of("sink k1").empty(); }));
  EXPECT_EQ(letters(), tens());
}

TEST_F(DeadLetterAgentTest, AFullDeadLetterChannelHoldsAndTheRestGoesOn) {
  start(
      "a1.channels = c1 c2\na1.sinks = k1\na1.sinks.k1.dead-letter.channel = c2\n"
      "a1.channels.c2.type = memory\na1.channels.c2.capacity = 4\n"
      "a1.channels.c2.transactionCapacity = 4\n");
  ASSERT_TRUE(testing_kit::eventually([&] { return delivered().count() == 90; }));
  ASSERT_TRUE(testing_kit::eventually([&] { return channel_figure("c1", "EventHeldCount") == 6; }));
  EXPECT_EQ(sink_figure("DeadLetterCount"), 4u);
  EXPECT_NE(health_of("sink k1").find("channel c2 is full; 6 events are held"), std::string::npos)
      << health_of("sink k1");
}

}  // namespace
}  // namespace millrace
