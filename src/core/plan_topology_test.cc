#include <gtest/gtest.h>

#include <array>

#include "config/agent_config.h"
#include "core/fake_channel.h"
#include "core/plan_rejections.h"
#include "core/topology.h"

namespace millrace {
namespace {

// Components that do nothing, under names of their own.
struct PlanChannelConfig {
  std::uint32_t transaction_capacity = 100;
  static constexpr auto fields() {
    return std::tuple{
        field("transactionCapacity", &PlanChannelConfig::transaction_capacity, "Events.")
            .range(1, 1000)};
  }
  std::size_t events_per_transaction() const { return transaction_capacity; }
};
struct PlanPartConfig {
  std::uint32_t port = 0;
  std::uint32_t batch_size = 100;
  static constexpr auto fields() {
    return std::tuple{field("port", &PlanPartConfig::port, "A port.").range(0, 65535),
                      field("batchSize", &PlanPartConfig::batch_size, "Events.").range(1, 100'000)};
  }
  std::size_t events_per_transaction() const { return batch_size; }
};
class PlanSource final : public Source {
 public:
  using Config = PlanPartConfig;
  PlanSource(const Config&, const SourceContext&) {}
  Result<> start() override { return {}; }
  void stop(SteadyTime) override {}
};
class PlanSink final : public Sink {
 public:
  using Config = PlanPartConfig;
  PlanSink(const Config&, const SinkContext&) {}
  Result<> deliver(const EventBatch&, Rejects&) override { return {}; }
  Result<> flush() override { return {}; }
  std::size_t batch_size() const override { return 100; }
};
struct PlanSelectorConfig {
  std::vector<std::string> optional;
  static constexpr auto fields() {
    return std::tuple{field("optional", &PlanSelectorConfig::optional, "Channels.")};
  }
};
class PlanSelector final : public Selector {
 public:
  using Config = PlanSelectorConfig;
  PlanSelector(const Config&, const SelectorContext&) {}
  Routing route(const BatchPtr&) override { return {}; }
};
class PlanTestChannel final : public Channel {
 public:
  using Config = PlanChannelConfig;
  PlanTestChannel(const Config&, const ChannelContext&) {}
  Result<> start() override { return inner_.start(); }
  void stop() override {}
  PutStatus put(const BatchPtr& batch, PutDone& done) override { return inner_.put(batch, done); }
  void when_room(std::function<void()> wake) override { inner_.when_room(std::move(wake)); }
  std::optional<Lease> take(const TakeLimit& limit, SteadyTime until,
                            std::stop_token stop) override {
    return inner_.take(limit, until, std::move(stop));
  }
  void commit(std::span<const Lease> l, std::span<const HeldEvent> h, SteadyTime t) override {
    inner_.commit(l, h, t);
  }
  void roll_back(std::span<const Lease> leases) override { inner_.roll_back(leases); }
  void count_dropped(std::size_t events) override { inner_.count_dropped(events); }
  std::size_t transaction_capacity() const override { return 100; }
  std::size_t capacity() const override { return 100; }
  ChannelCounts counts() const override { return inner_.counts(); }
  std::chrono::milliseconds keep_alive() const override { return {}; }
  bool durable() const override { return false; }
  std::string promise() const override { return {}; }
  Result<> health() const override { return {}; }

 private:
  FakeChannel inner_;
};

struct PlanProcessorConfig {
  std::string sinks;
  static constexpr auto fields() {
    return std::tuple{field("sinks", &PlanProcessorConfig::sinks, "Sinks.")};
  }
};
class PlanProcessor final : public DefaultSinkProcessor {
 public:
  using Config = PlanProcessorConfig;
  PlanProcessor(const Config&, const SinkProcessorContext& context)
      : DefaultSinkProcessor(context.sinks.front()) {}
};

const RegisterSinkProcessor<PlanProcessor> processor_entry{"", "test.PlanProcessor"};
const RegisterChannel<PlanTestChannel> channel_entry{"plan_channel", "test.PlanChannel"};
const RegisterSource<PlanSource> source_entry{"plan_source", "test.PlanSource"};
const RegisterSink<PlanSink> sink_entry{"plan_sink", "test.PlanSink"};
const RegisterSelector<PlanSelector> selector_entry{"replicating", "test.PlanSelector"};

class PlanTopologyTest : public testing::Test {
 protected:
  PlanTopologyTest() {
    config.name = "a1";
    config.channels.push_back({"c1", "plan_channel", {}});
    config.sources.push_back({"r1", "PLAN_SOURCE", {"c1"}, section("sources.r1", {{"port", "1"}})});
    config.sinks.push_back({"k1", "test.PlanSink", "c1", {}});
  }
  static PropertySection section(const std::string& path,
                                 const std::vector<std::pair<std::string, std::string>>& keys) {
    std::vector<Property> entries;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      entries.push_back(
          {keys[i].first, keys[i].second, "agent.conf", i + 1, "a1." + path + "." + keys[i].first});
    }
    return {"a1." + path + ".", std::move(entries)};
  }
  void plan() { topology = plan_topology(config, diagnostics); }
  bool says(std::string_view text) const {
    return diagnostics.to_string().find(text) != std::string::npos;
  }

  AgentConfig config;
  Diagnostics diagnostics;
  Topology topology;
};

TEST_F(PlanTopologyTest, AGoodConfigurationIsPlannedWhole) {
  plan();
  EXPECT_TRUE(diagnostics.empty()) << diagnostics.to_string();
  EXPECT_EQ(topology.channels.size(), 1u);
  EXPECT_EQ(topology.sources.size(), 1u);
  EXPECT_EQ(topology.sinks.size(), 1u);
}

TEST_F(PlanTopologyTest, AFaultTakesOnlyItsPartOut) {
  config.sources[0].properties = section("sources.r1", {{"port", "21041 # main listener"}});
  config.sources.push_back({"r2", "plan_source", {"c1"}, {}});
  plan();
  ASSERT_EQ(topology.sources.size(), 1u);
  EXPECT_EQ(topology.sources[0].name, "r2");
  EXPECT_TRUE(says("agent.conf:1: error: a1.sources.r1.port = \"21041 # main listener\""))
      << diagnostics.to_string();
  EXPECT_TRUE(says("source r1 is left out"));
}

// Flume: TestAbstractConfigurationProvider#testSinkSourceMismatchDuringConfiguration.
TEST_F(PlanTopologyTest, ABatchLargerThanTheTransactionTakesThePartOut) {
  config.sources[0].properties = section("sources.r1", {{"batchSize", "200"}});
  config.sinks[0].properties = section("sinks.k1", {{"batchSize", "100"}});
  plan();
  EXPECT_TRUE(topology.sources.empty());
  EXPECT_EQ(topology.sinks.size(), 1u);
  EXPECT_TRUE(says("200") && says("100")) << diagnostics.to_string();
}

// Flume: TestAbstractConfigurationProvider#testChannelThrowsExceptionDuringConfiguration.
TEST_F(PlanTopologyTest, ABadChannelTakesItsSourceAndSinkAlong) {
  config.channels[0].properties = section("channels.c1", {{"transactionCapacity", "0"}});
  plan();
  EXPECT_TRUE(topology.empty());
  EXPECT_TRUE(topology.channels.empty());
}

// Flume: #testSourceThrows…, #testSinkThrows… and
// #testSourceAndSinkThrowExceptionDuringConfiguration.
TEST_F(PlanTopologyTest, AChannelGoesWithBothOfItsEndsAndStaysWithOne) {
  const PropertySection bad = section("sources.r1", {{"port", "x"}});
  const PropertySection good = config.sources[0].properties;
  const auto counts = [this](const PropertySection& source, const PropertySection& sink) {
    config.sources[0].properties = source;
    config.sinks[0].properties = sink;
    plan();
    return std::array{topology.sources.size(), topology.channels.size(), topology.sinks.size()};
  };
  EXPECT_EQ(counts(bad, {}), (std::array<std::size_t, 3>{0, 1, 1}));
  EXPECT_EQ(counts(good, bad), (std::array<std::size_t, 3>{1, 1, 0}));
  EXPECT_EQ(counts(bad, bad), (std::array<std::size_t, 3>{0, 0, 0}));
}

TEST_F(PlanTopologyTest, AChannelThatNothingUsesIsLeftOut) {
  config.channels.push_back(
      {"c2", "plan_channel", section("channels.c2", {{"type", "plan_channel"}})});
  plan();
  EXPECT_EQ(topology.channels.size(), 1u);
  EXPECT_FALSE(diagnostics.has_errors());
  EXPECT_TRUE(says("agent.conf:1: warning: channel c2 is left out: no source and no sink uses it"))
      << diagnostics.to_string();
}

TEST_F(PlanTopologyTest, AChannelWithoutASinkIsNamedAndRuns) {
  config.channels.push_back(
      {"c2", "plan_channel",
       section("channels.c2", {{"transactionCapacity", "100"}, {"type", "plan_channel"}})});
  config.sources[0].channels.emplace_back("c2");
  plan();
  EXPECT_EQ(topology.channels.size(), 2u);
  EXPECT_EQ(diagnostics.to_string(),
            "agent.conf:2: warning: channel c2 has no sink: what comes in stays there until it is "
            "full\n");
}

TEST_F(PlanTopologyTest, AChannelWithoutASourceIsNamedAndRuns) {
  config.channels.push_back(
      {"c2", "plan_channel", section("channels.c2", {{"type", "plan_channel"}})});
  config.sinks.push_back({"k2", "plan_sink", "c2", {}});
  plan();
  EXPECT_EQ(topology.channels.size(), 2u);
  EXPECT_EQ(diagnostics.to_string(),
            "agent.conf:1: warning: channel c2 has no source: its sinks get what it holds already, "
            "and no more\n");
}

TEST_F(PlanTopologyTest, TypesAreToldApartByWhyTheyDoNotWork) {
  config.sources[0].type = "plan_sorce";
  config.sources[0].properties = section("sources.r1", {{"type", "plan_sorce"}});
  config.sinks[0].type = "org.apache.flume.sink.hbase.HBaseSink";
  plan();
  EXPECT_TRUE(says("did you mean \"plan_source\"?")) << diagnostics.to_string();
  EXPECT_TRUE(says("not built in yet"));
}

TEST_F(PlanTopologyTest, TheJdbcChannelIsAnsweredWithTheFileChannel) {
  for (const char* type : {"jdbc", "JDBC", "org.apache.flume.channel.jdbc.JdbcChannel"}) {
    diagnostics = {};
    config.channels[0].type = type;
    config.channels[0].properties = section("channels.c1", {{"type", type}});
    plan();
    EXPECT_TRUE(diagnostics.has_errors());
    EXPECT_TRUE(says("this component of Flume is not built in; use the file channel (type = file"))
        << diagnostics.to_string();
  }
}

TEST_F(PlanTopologyTest, AComponentThatIsNotBuiltInYetIsAWarning) {
  config.sinks.push_back({"k2", "hive", "c1", section("sinks.k2", {{"type", "hive"}})});
  plan();
  EXPECT_FALSE(diagnostics.has_errors()) << diagnostics.to_string();
  EXPECT_TRUE(says("sink k2 is left out"));
  EXPECT_EQ(topology.sinks.size(), 1u);
}

TEST_F(PlanTopologyTest, ASelectorMayOnlyNameTheSourcesChannels) {
  config.sources[0].properties = section("sources.r1", {{"selector.optional", "c1  c9"}});
  plan();
  EXPECT_TRUE(topology.sources.empty());
  EXPECT_TRUE(says("\"c9\" is not a usable channel")) << diagnostics.to_string();
}

class DeadLetterPlanTest : public PlanTopologyTest {
 protected:
  void add_channel(const std::string& name) {
    config.channels.push_back({name, "plan_channel", {}});
  }
  // A sink on `from` whose letters go to channel `to`.
  void add_sink(const std::string& name, const std::string& from, const std::string& to) {
    config.sinks.push_back(
        {name, "plan_sink", from, section("sinks." + name, {{"dead-letter.channel", to}})});
  }
  const RejectionConfig& rejection() const { return topology.sinks.at(0).rejection; }
};

TEST_F(DeadLetterPlanTest, RejectedEventsAreHeldUnlessToldOtherwise) {
  plan();
  EXPECT_FALSE(rejection().drops());
  EXPECT_FALSE(rejection().has_dead_letter());
}

TEST_F(DeadLetterPlanTest, AChannelThatTakesLettersIsUsed) {
  add_channel("c2");
  config.sinks[0].properties = section("sinks.k1", {{"dead-letter.channel", "c2"}});
  config.sinks.push_back({"k2", "plan_sink", "c2", {}});
  plan();
  EXPECT_TRUE(diagnostics.empty()) << diagnostics.to_string();
  EXPECT_EQ(topology.channels.size(), 2u);
  EXPECT_EQ(rejection().target(), "channel c2");
}

TEST_F(DeadLetterPlanTest, AChannelsKeysStandForItsSinks) {
  config.channels[0].properties =
      section("channels.c1", {{"dead-letter.directory", "/dead"}, {"dead-letter.roll-size", "5"}});
  config.sinks[0].properties = section("sinks.k1", {{"on-rejected", "drop"}});
  config.sinks.push_back(
      {"k2", "plan_sink", "c1", section("sinks.k2", {{"dead-letter.directory", "/mine"}})});
  plan();
  EXPECT_TRUE(diagnostics.empty()) << diagnostics.to_string();
  EXPECT_EQ(rejection().target(), "directory /dead");
  EXPECT_EQ(rejection().roll_size.value, 5u);
  EXPECT_TRUE(rejection().drops());
  EXPECT_EQ(topology.sinks.at(1).rejection.target(), "directory /mine");
  EXPECT_EQ(topology.sinks.at(1).rejection.roll_size, RejectionConfig().roll_size);
}

TEST_F(DeadLetterPlanTest, LettersDoNotComeBack) {
  add_channel("c2");
  add_channel("c3");
  config.sinks[0].properties = section("sinks.k1", {{"dead-letter.channel", "c2"}});
  add_sink("k2", "c2", "c3");
  add_sink("k3", "c3", "c1");
  add_sink("k4", "c3", "c3");
  plan();
  EXPECT_EQ(topology.sinks.size(), 2u);
  EXPECT_TRUE(
      says("a1.sinks.k3.dead-letter.channel = \"c1\": closes a circle: the dead letters of "
           "its sinks lead back to channel c3"))
      << diagnostics.to_string();
  EXPECT_TRUE(says("a1.sinks.k4.dead-letter.channel = \"c3\": is the sink's own channel"))
      << diagnostics.to_string();
}

TEST_F(DeadLetterPlanTest, SinksAreStoppedInTheOrderOfTheLetters) {
  add_channel("c2");
  add_channel("c3");
  config.sinks.clear();
  config.sinks.push_back({"k3", "plan_sink", "c3", {}});
  add_sink("k2", "c2", "c3");
  add_sink("k1", "c1", "c2");
  plan();
  ASSERT_EQ(topology.sinks.size(), 3u) << diagnostics.to_string();
  EXPECT_EQ(letter_stage(topology, topology.sinks[0]), 2u);
  EXPECT_EQ(letter_stage(topology, topology.sinks[1]), 1u);
  EXPECT_EQ(letter_stage(topology, topology.sinks[2]), 0u);
}

TEST_F(DeadLetterPlanTest, AFaultTakesTheSinkOut) {
  add_channel("cold");
  config.sources[0].channels.emplace_back("cold");
  config.sinks[0].properties = section("sinks.k1", {{"dead-letter.channel", "colt"}});
  config.sinks.push_back(
      {"k2", "plan_sink", "c1",
       section("sinks.k2", {{"dead-letter.channel", "cold"}, {"dead-letter.directory", "/dead"}})});
  config.sinks.push_back(
      {"k3", "plan_sink", "c1", section("sinks.k3", {{"on-rejected", "forget"}})});
  plan();
  EXPECT_TRUE(topology.sinks.empty());
  EXPECT_TRUE(
      says("a1.sinks.k1.dead-letter.channel = \"colt\": is not a usable channel of this "
           "agent; did you mean \"cold\"?"))
      << diagnostics.to_string();
  EXPECT_TRUE(
      says("a1.sinks.k2.dead-letter.channel = \"cold\": dead-letter.directory is given too"))
      << diagnostics.to_string();
  EXPECT_TRUE(says("a1.sinks.k3.on-rejected = \"forget\"")) << diagnostics.to_string();
}

TEST_F(DeadLetterPlanTest, AMisspeltKeyGetsTheNearest) {
  config.sinks[0].properties = section("sinks.k1", {{"dead-letter.directry", "/dead"}});
  plan();
  EXPECT_TRUE(says("did you mean \"dead-letter.directory\"?")) << diagnostics.to_string();
}

class SinkGroupPlanTest : public PlanTopologyTest {
 protected:
  void add_group(const std::vector<std::string>& sinks, const std::string& processor) {
    config.sink_groups.push_back(
        {"g1", sinks, processor,
         section("sinkgroups.g1", {{"sinks", "k1 k2"}, {"processor.type", processor}})});
  }
  SinkGroupPlanTest() { config.sinks.push_back({"k2", "plan_sink", "c1", {}}); }
};

TEST_F(SinkGroupPlanTest, AGroupHasTheSinksThatAreUsable) {
  config.sinks[0].properties = section("sinks.k1", {{"port", "none"}});
  add_group({"k1", "k2"}, "test.PlanProcessor");
  plan();
  ASSERT_EQ(topology.sink_groups.size(), 1u);
  EXPECT_EQ(topology.sink_groups[0].sinks, (std::vector<std::string>{"k2"}));
}

// Flume: a processor that cannot be configured takes its sinks along.
TEST_F(SinkGroupPlanTest, AFaultOfTheGroupTakesItsSinksOut) {
  add_group({"k1", "k2"}, "test.PlanProcesor");
  plan();
  EXPECT_TRUE(topology.sinks.empty());
  EXPECT_TRUE(topology.sink_groups.empty());
  EXPECT_TRUE(
      says("agent.conf:2: error: a1.sinkgroups.g1.processor.type = \"test.PlanProcesor\": unknown "
           "type; did you mean \"test.PlanProcessor\"?"))
      << diagnostics.to_string();
  EXPECT_TRUE(says("sink k2 is left out: its sink group g1 is")) << diagnostics.to_string();
}

TEST_F(SinkGroupPlanTest, AGroupWithoutAUsableSinkIsLeftOut) {
  config.sinks.clear();
  add_group({"k1", "k2"}, "test.PlanProcessor");
  plan();
  EXPECT_TRUE(topology.sink_groups.empty());
  EXPECT_TRUE(says("sink group g1 is left out: none of its sinks is usable"));
}

TEST_F(SinkGroupPlanTest, SinksWithChannelsOfTheirOwnAreAWarning) {
  config.channels.push_back({"c2", "plan_channel", {}});
  config.sources[0].channels.emplace_back("c2");
  config.sinks[1].channel = "c2";
  add_group({"k1", "k2"}, "test.PlanProcessor");
  plan();
  EXPECT_EQ(topology.sink_groups.size(), 1u);
  EXPECT_FALSE(diagnostics.has_errors());
  EXPECT_TRUE(says("sink k1 takes from channel c1 and sink k2 from channel c2"))
      << diagnostics.to_string();
}

}  // namespace
}  // namespace millrace
