#include "config/agent_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/interpolation.h"
#include "config/properties.h"

namespace millrace {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kWhole =
    "a1.sources = r1\n"
    "a1.channels = c1\n"
    "a1.sinks = k1\n"
    "a1.sources.r1.type = netcat\n"
    "a1.sources.r1.port = 21061\n"
    "a1.sources.r1.channels = c1\n"
    "a1.channels.c1.type = memory\n"
    "a1.sinks.k1.type = file_roll\n"
    "a1.sinks.k1.channel = c1\n";

class AgentConfigTest : public ::testing::Test {
 protected:
  std::optional<AgentConfig> read(std::string_view text, std::string_view name = "a1") {
    resolved = parse_properties(text, "a.conf", diagnostics);
    return read_agent(resolved, name, environment, diagnostics);
  }
  // The names that are left: "sources/channels/sinks/groups".
  std::string left(std::string_view text) {
    const std::optional<AgentConfig> agent = read(text);
    if (!agent.has_value()) {
      return "none";
    }
    return names(agent->sources) + "/" + names(agent->channels) + "/" + names(agent->sinks) + "/" +
           names(agent->sink_groups);
  }
  template <class Parts>
  static std::string names(const Parts& parts) {
    std::string text;
    for (const auto& part : parts) {
      text += (text.empty() ? "" : " ") + part.name;
    }
    return text;
  }
  std::string with(std::string_view more) { return std::string(kWhole) + std::string(more); }
  std::string said() const { return diagnostics.to_string(); }

  TextMap environment;
  PropertySection resolved;
  Diagnostics diagnostics;
};

TEST_F(AgentConfigTest, ReadsAWholeAgent) {
  const std::optional<AgentConfig> agent = read(kWhole);
  ASSERT_TRUE(agent.has_value());
  EXPECT_EQ(said(), "");
  EXPECT_EQ(agent->name, "a1");
  ASSERT_EQ(agent->sources.size(), 1U);
  EXPECT_EQ(agent->sources[0].type, "netcat");
  EXPECT_THAT(agent->sources[0].channels, ElementsAre("c1"));
  const Property* const port = agent->sources[0].properties.find("port");
  ASSERT_NE(port, nullptr);
  EXPECT_EQ(port->value, "21061");
  EXPECT_EQ(port->full_key, "a1.sources.r1.port");
  EXPECT_EQ(port->line, 5U);
  EXPECT_EQ(agent->sources[0].properties.prefix(), "a1.sources.r1.");
  EXPECT_EQ(agent->sinks[0].channel, "c1");
  EXPECT_EQ(agent->channels[0].type, "memory");
}

TEST_F(AgentConfigTest, ReadsAFileFromAnotherSystem) {
  const std::optional<AgentConfig> agent = read(
      "# written on another system\r\n"
      "a1.sources : r1  \r\n"
      "a1.channels c1\t\r\n"
      "a1.sinks = k1 \t \r\n"
      "a1.sources.r1.type = netcat   \r\n"
      "a1.sources.r1.bind = 127.0.0.1\t\r\n"
      "a1.sources.r1.port = 21031 \r\n"
      "a1.sources.r1.channels = c1\t\r\n"
      "a1.sources.r1.interceptors = i1 \\\r\n"
      "     i2\r\n"
      "a1.sources.r1.interceptors.i1.value = Besan\\u00e7on \\uD83D\\uDE80  \r\n"
      "a1.sources.r1.interceptors.i2.value = first\r\n"
      "a1.sources.r1.interceptors.i2.value = second\r\n"
      "a1.channels.c1.type = memory\r\n"
      "a1.sinks.k1.type = file_roll\r\n"
      "a1.sinks.k1.channel = c1\r\n");
  ASSERT_TRUE(agent.has_value());
  EXPECT_FALSE(diagnostics.has_errors());
  const PropertySection& source = agent->sources.at(0).properties;
  EXPECT_EQ(source.value_or("bind", ""), "127.0.0.1");
  EXPECT_EQ(source.value_or("port", ""), "21031");
  EXPECT_THAT(split_words(source.value_or("interceptors", "")), ElementsAre("i1", "i2"));
  EXPECT_EQ(source.value_or("interceptors.i1.value", ""), "Besan\xC3\xA7on \xF0\x9F\x9A\x80");
  EXPECT_EQ(source.value_or("interceptors.i2.value", ""), "second");
}

TEST_F(AgentConfigTest, SaysWhichAgentsAreThere) {
  EXPECT_FALSE(read(with("b2.channels = c1\n"), "a9").has_value());
  EXPECT_EQ(said(),
            "a.conf: error: No configuration found for this host:a9; the agents that are there: "
            "a1, b2\n");
  EXPECT_THAT(agent_names(resolved), ElementsAre("a1", "b2"));
}

TEST_F(AgentConfigTest, AnEmptyFileHasNoAgent) {
  EXPECT_FALSE(read("", "a1").has_value());
  EXPECT_EQ(said(), "error: No configuration found for this host:a1; no agent is defined\n");
}

TEST_F(AgentConfigTest, SplitsListsAtAnyBlanks) {
  EXPECT_EQ(left("a1.sources = r1  \t r2\n"
                 "a1.channels = c1   c2\n"
                 "a1.sources.r1.type = seq\n"
                 "a1.sources.r1.channels = c1    c2\n"
                 "a1.sources.r2.type = seq\n"
                 "a1.sources.r2.channels = c2\n"
                 "a1.channels.c1.type = memory\n"
                 "a1.channels.c2.type = memory\n"),
            "r1 r2/c1 c2//");
  EXPECT_FALSE(diagnostics.has_errors());
}

TEST_F(AgentConfigTest, MisspeltKindLeavesNothing) {
  EXPECT_EQ(left("a1.channels = c1\na1.channel.c1 = cc1\na1.channel.c1.type = memory\n"), "none");
  EXPECT_EQ(said(),
            "a.conf:2: warning: a1.channel.c1: is not a key of an agent and has no effect; did you "
            "mean \"channels\"?\n"
            "a.conf:3: warning: a1.channel.c1.type: is not a key of an agent and has no effect; "
            "did you mean \"channels\"?\n"
            "a.conf:1: error: a1.channels: channel c1 is listed but has no keys: it is left out\n"
            "a.conf:1: error: a1.channels: no channel is usable: agent a1 is not run\n");
}

TEST_F(AgentConfigTest, OddKeysAndEmptyValuesAreLeftOut) {
  EXPECT_EQ(left(with("a1. = x\na1.sources.r1 = y\na1.sources..z = 1\na1.sources.r1.bind =\n")),
            "r1/c1/k1/");
  EXPECT_EQ(diagnostics.warning_count(), 4U);
  EXPECT_FALSE(diagnostics.has_errors());
  EXPECT_THAT(said(), HasSubstr("a.conf:13: warning: a1.sources.r1.bind: has no value"));
}

TEST_F(AgentConfigTest, OneSideIsEnoughAndNeitherIsNot) {
  EXPECT_EQ(left("a1.channels = c1\na1.sources = r1\na1.channels.c1.type = memory\n"
                 "a1.sources.r1.type = seq\na1.sources.r1.channels = c1\n"),
            "r1/c1//");
  EXPECT_THAT(said(), HasSubstr("warning: a1.sinks: is missing"));
  EXPECT_EQ(left("a1.channels = c1\na1.sinks = k1\na1.channels.c1.type = memory\n"
                 "a1.sinks.k1.type = null\na1.sinks.k1.channel = c1\n"),
            "/c1/k1/");
  EXPECT_FALSE(diagnostics.has_errors());
  EXPECT_EQ(left("a1.channels = c1\na1.channels.c1.type = memory\n"), "none");
  EXPECT_THAT(said(), HasSubstr("neither a source nor a sink is usable"));
  EXPECT_EQ(left("a1.sources = r1\na1.sources.r1.type = seq\na1.sources.r1.channels = c1\n"),
            "none");
  EXPECT_THAT(said(), HasSubstr("a1.channels: is missing or empty: agent a1 is not run"));
}

TEST_F(AgentConfigTest, ASourceKeepsItsValidChannels) {
  const std::optional<AgentConfig> agent = read(with("a1.sources.r1.channels = chan1 c1 c2 c1\n") +
                                                "a1.channels = c1 c2\n"
                                                "a1.channels.c2.capacity = 5\n");
  ASSERT_TRUE(agent.has_value());
  EXPECT_THAT(agent->sources.at(0).channels, ElementsAre("c1"));
  EXPECT_EQ(agent->sources.at(0).properties.value_or("channels", ""), "c1");
  EXPECT_THAT(said(),
              AllOf(HasSubstr("error: a1.channels.c2.type: is required and missing: channel "
                              "c2 is left out"),
                    HasSubstr("channel chan1 is not in the active set\n"),
                    HasSubstr("channel c2 is not in the active set; it was left out itself")));
}

TEST_F(AgentConfigTest, ASourceWithoutChannelsIsLeftOut) {
  EXPECT_EQ(
      left(with("a1.sources = r1 r2 r3\na1.sources.r2.type = seq\na1.sources.r2.channel = c1\n"
                "a1.sources.r3.type = seq\na1.sources.r3.channels = c11\n")),
      "r1/c1/k1/");
  EXPECT_THAT(
      said(),
      AllOf(HasSubstr("a.conf:11: error: a1.sources.r2.channels: No channels configured for "
                      "source r2: it is left out; a source's key is \"channels\""),
            HasSubstr("a.conf:14: error: a1.sources.r3.channels: channel c11 is not in the "
                      "active set; did you mean \"c1\"?")));
}

TEST_F(AgentConfigTest, ASinkNeedsOneKnownChannel) {
  EXPECT_EQ(left(with("a1.sinks = k1 k2 k3 k4\na1.sinks.k2.type = null\na1.sinks.k2.channels = c1\n"
                      "a1.sinks.k3.type = null\na1.sinks.k3.channel = c1 c2\n"
                      "a1.sinks.k4.channel = c1\na1.sinks.k4.tpye = null\n")),
            "r1/c1/k1/");
  EXPECT_THAT(said(), AllOf(HasSubstr("a sink's key is \"channel\""),
                            HasSubstr("a sink takes from one channel"),
                            HasSubstr("a1.sinks.k4.type: is required and missing: sink k4 is left "
                                      "out; \"tpye\" is there")));
}

TEST_F(AgentConfigTest, ListsAndPartsHaveToAgree) {
  EXPECT_EQ(left(with("a1.sinks = k1 sink2 k1\na1.sinks.sinc2.type = null\n")), "r1/c1/k1/");
  EXPECT_EQ(said(),
            "a.conf:10: warning: a1.sinks: is given again: the value of line 3 has no effect\n"
            "a.conf:10: error: a1.sinks: sink sink2 is listed but has no keys: it is left out; did "
            "you mean \"sinc2\"?\n"
            "a.conf:10: warning: a1.sinks: sink k1 is listed twice\n"
            "a.conf:11: warning: a1.sinks.sinc2: sink sinc2 is not listed in a1.sinks: it is left "
            "out\n");
}

TEST_F(AgentConfigTest, SaysThatListsTakeNoCommas) {
  EXPECT_EQ(left(with("a1.sinks = k1,k2\n")), "r1/c1//");
  EXPECT_THAT(said(), HasSubstr("sink k1,k2 is listed but has no keys: it is left out; names in a "
                                "list have blanks between them, no commas"));
}

TEST_F(AgentConfigTest, AChannelWithNothingAttachedIsLeftOut) {
  EXPECT_EQ(left(with("a1.channels = c1 c2\na1.channels.c2.type = memory\n")), "r1/c1/k1/");
  EXPECT_THAT(said(), HasSubstr("warning: a1.channels.c2.type: channel c2 has neither"));
}

TEST_F(AgentConfigTest, AChannelForDeadLettersIsAttached) {
  EXPECT_EQ(left(with("a1.channels = c1 c2 c3\na1.channels.c2.type = memory\n"
                      "a1.channels.c3.type = memory\na1.sinks.k1.dead-letter.channel = c2\n"
                      "a1.channels.c1.dead-letter.channel = c3\n")),
            "r1/c1 c2 c3/k1/");
}

TEST_F(AgentConfigTest, ReadsSinkGroups) {
  const std::optional<AgentConfig> agent =
      read(with("a1.sinks = k1 k2\na1.sinks.k2.type = null\na1.sinks.k2.channel = c1\n"
                "a1.sinkgroups = g1  g2\n"
                "a1.sinkgroups.g1.sinks = k1   k2\n"
                "a1.sinkgroups.g1.processor.type = failover\n"
                "a1.sinkgroups.g1.processor.priority.k1 = 5\n"
                "a1.sinkgroups.g2.sinks = k2 k3\n"));
  ASSERT_TRUE(agent.has_value());
  ASSERT_EQ(agent->sink_groups.size(), 1U);
  const SinkGroupConfig& group = agent->sink_groups[0];
  EXPECT_THAT(group.sinks, ElementsAre("k1", "k2"));
  EXPECT_EQ(group.processor, "failover");
  EXPECT_EQ(group.properties.sub("processor.").value_or("priority.k1", ""), "5");
  EXPECT_THAT(said(), AllOf(HasSubstr("sink k2 is already in sink group g1"),
                            HasSubstr("sink k3 is not there"),
                            HasSubstr("sink group g2 has no sink: it is left out")));
}

TEST_F(AgentConfigTest, AGroupNeedsSinksAndDefaultsItsProcessor) {
  const std::optional<AgentConfig> agent =
      read(with("a1.sinkgroups = g1 g2\na1.sinkgroups.g1.processor.type = failover\n"
                "a1.sinkgroups.g2.sinks = k1\n"));
  ASSERT_TRUE(agent.has_value());
  ASSERT_EQ(agent->sink_groups.size(), 1U);
  EXPECT_EQ(agent->sink_groups[0].processor, "default");
  EXPECT_THAT(said(), HasSubstr("a1.sinkgroups.g1.sinks: is required and missing"));
}

// The hosts of Flume's own test: of five, one is whole.
TEST_F(AgentConfigTest, ReadsTheOtherAgentsOfAFileToo) {
  const std::string text =
      "host1.sources = source1\nhost1.channels = channel1\nhost1.sinks = sink1\n"
      "host1.sources.source1.type = seq\nhost1.sources.source1.channels = channel1\n"
      "host1.channels.channel1.type = memory\n"
      "host1.sinks.sink1.type = null\nhost1.sinks.sink1.channel = channel1\n"
      "host2.sources = source1\nhost2.sources.source1.type = seq\n"
      "host2.sources.source1.channels = channel1\n"
      "host3.sources = source1\nhost3.channels = ch0\nhost3.channels.ch0.type = memory\n"
      "host3.sources.source1.type = seq\nhost3.sources.source1.channels = ch1\n"
      "host4.sources = source1\nhost4.sinks = sink1\n"
      "host5.channels = channel1\nhost5.sinks = \n";
  for (const char* broken : {"host2", "host3", "host4", "host5"}) {
    diagnostics = {};
    EXPECT_FALSE(read(text, broken).has_value()) << broken;
    EXPECT_TRUE(diagnostics.has_errors());
  }
  diagnostics = {};
  EXPECT_TRUE(read(text, "host1").has_value());
  EXPECT_TRUE(diagnostics.empty());
}

TEST_F(AgentConfigTest, AppliesConfigFilters) {
  environment = {{"HOST", "node7"}, {"the-port", "4141"}};
  const std::optional<AgentConfig> agent =
      read(with("a1.configfilters = f1 f2\na1.configfilters.f1.type = ENV\n"
                "a1.configfilters.f2.type = org.apache.flume.configfilter."
                "EnvironmentVariableConfigFilter\n"
                "a1.sources.r1.bind = ${f1[\"HOST\"]}\n"
                "a1.sources.r1.port = ${f2['the-port']}\n"
                "a1.sources.r1.both = <${f2[\"HOST\"]}-${f1[HOST]}>\n"
                "a1.sources.r1.odd = ${f1[\"HOST']} ${f1[NONE]} ${f3[HOST]} ${f1[]} ${f1[a b]}\n"));
  ASSERT_TRUE(agent.has_value());
  const PropertySection& source = agent->sources.at(0).properties;
  EXPECT_EQ(source.value_or("bind", ""), "node7");
  EXPECT_EQ(source.value_or("port", ""), "4141");
  EXPECT_EQ(source.value_or("both", ""), "<node7-node7>");
  EXPECT_EQ(source.value_or("odd", ""),
            "${f1[\"HOST']} ${f1[NONE]} ${f3[HOST]} ${f1[]} ${f1[a b]}");
  EXPECT_THAT(said(), HasSubstr("a1.sources.r1.odd: ${f1[NONE]} has no value"));
  EXPECT_THAT(said(), HasSubstr("${f3[HOST]} stays as it is: no config filter f3 is listed"));
}

TEST_F(AgentConfigTest, NamesFiltersThatAreNotBuiltIn) {
  EXPECT_EQ(left(with("a1.configfilters = f1\na1.configfilters.f1.type = hadoop\n")), "r1/c1/k1/");
  EXPECT_THAT(said(), HasSubstr("error: a1.configfilters.f1.type: config filter type hadoop is not "
                                "built in yet"));
}

TEST_F(AgentConfigTest, LooseKeysAreVariablesOrWarnings) {
  resolved = parse_properties(with("dir = /data\nvars.x = 1\nlost = 1\n.y = 2\nlost.y = 2\n"),
                              "a.conf", diagnostics);
  check_loose_keys(resolved, {"dir", "vars.x"}, diagnostics);
  EXPECT_EQ(diagnostics.warning_count(), 3U);
  EXPECT_THAT(said(), AllOf(HasSubstr("a.conf:12: warning: lost: begins with no agent's name"),
                            HasSubstr("a.conf:13: warning: .y: begins with no agent's name"),
                            HasSubstr("a.conf:14: warning: lost.y: has no known kind"),
                            Not(HasSubstr("vars"))));
}

}  // namespace
}  // namespace millrace
