#include "processor/failover.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/registry.h"
#include "processor/rest_time.h"

namespace millrace {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(RestTime, DoublesUpToTheMostAndNeverOverflows) {
  EXPECT_EQ(rest_time(1, 30s), 2s);
  EXPECT_EQ(rest_time(2, 30s), 4s);
  EXPECT_EQ(rest_time(5, 30s), 30s);
  // Flume's 32 bits are negative from 22 failures on, and the sink is then tried all the time.
  for (int failures = 5; failures < 100'000; ++failures) {
    ASSERT_EQ(rest_time(failures, 30s), 30s) << failures;
  }
  EXPECT_EQ(rest_time(3, 0ms), 0ms);
}

TEST(RestTime, IsSaid) {
  EXPECT_EQ(rest_text(30s), "rests 2 s, twice as long each time, 30 s at most");
  EXPECT_EQ(rest_text(1500ms), "rests 1500 ms");
}

class FailoverTest : public testing::Test {
 protected:
  static PropertySection section(std::initializer_list<std::pair<std::string, std::string>> keys) {
    std::vector<Property> entries;
    for (const auto& [key, value] : keys) {
      entries.push_back({key, value, "a.conf", entries.size() + 1, "a1.sinkgroups.g1." + key});
    }
    return {"a1.sinkgroups.g1.", entries};
  }
  std::optional<FailoverProcessor> make(const PropertySection& keys,
                                        std::vector<std::string> sinks = {"k1", "k2", "k3"}) {
    const auto config = bind<FailoverConfig>(keys, diagnostics, common_group_keys());
    return config ? std::optional<FailoverProcessor>(std::in_place, *config,
                                                     SinkProcessorContext{std::move(sinks)})
                  : std::nullopt;
  }
  bool is_active(const FailoverProcessor& processor, std::size_t sink) const {
    return processor.standing(sink, clock.steady()).is_active;
  }

  FakeClock clock;
  Diagnostics diagnostics;
  const PropertySection three = section({{"sinks", "k1 k2 k3"},
                                         {"processor.type", "failover"},
                                         {"processor.priority.k1", "3"},
                                         {"processor.priority.k2", "7"},
                                         {"processor.priority.k3", "-5"},
                                         {"processor.maxpenalty", "5000"}});
};

TEST_F(FailoverTest, TheHighestPriorityIsFirst) {
  auto processor = make(three);
  EXPECT_TRUE(diagnostics.empty()) << diagnostics.to_string();
  EXPECT_THAT(processor->order(clock.steady()), ElementsAre(1, 0, 2));
  EXPECT_TRUE(is_active(*processor, 1));
  EXPECT_EQ(processor->plan(),
            "k2 (priority 7), then k1 (priority 3), then k3 (priority -5); one that fails rests 2 "
            "s, twice as long each time, 5 s at most");
}

TEST_F(FailoverTest, OneThatFailsRestsAndIsThenTriedFirst) {
  auto processor = make(three);
  processor->note(1, Turn::kFailed, clock.steady());
  EXPECT_THAT(processor->order(clock.steady()), ElementsAre(0, 2));
  EXPECT_TRUE(is_active(*processor, 0));
  clock.advance(1999ms);
  EXPECT_THAT(processor->order(clock.steady()), ElementsAre(0, 2));
  clock.advance(1ms);
  EXPECT_THAT(processor->order(clock.steady()), ElementsAre(1, 0, 2));
  // Nothing to deliver proves nothing, and is no failure.
  processor->note(1, Turn::kNothing, clock.steady());
  EXPECT_TRUE(is_active(*processor, 0));
  EXPECT_THAT(processor->order(clock.steady()), ElementsAre(1, 0, 2));
  processor->note(1, Turn::kDelivered, clock.steady());
  EXPECT_TRUE(is_active(*processor, 1));
  EXPECT_THAT(processor->order(clock.steady()), ElementsAre(1, 0, 2));
}

TEST_F(FailoverTest, EachFailureInARowDoublesTheRest) {
  auto processor = make(three);
  for (const auto rest : {2000ms, 4000ms, 5000ms, 5000ms}) {
    processor->note(1, Turn::kFailed, clock.steady());
    EXPECT_EQ(processor->standing(1, clock.steady()).rests_until, clock.steady() + rest);
    clock.advance(rest);
  }
  processor->note(1, Turn::kDelivered, clock.steady());
  processor->note(1, Turn::kFailed, clock.steady());
  EXPECT_EQ(processor->standing(1, clock.steady()).rests_until, clock.steady() + 2s);
}

TEST_F(FailoverTest, TheOneThatRestsShortestIsTriedFirst) {
  auto processor = make(three);
  processor->note(1, Turn::kFailed, clock.steady());
  clock.advance(100ms);
  processor->note(0, Turn::kFailed, clock.steady());
  processor->note(2, Turn::kFailed, clock.steady());
  EXPECT_THAT(processor->order(clock.steady()), IsEmpty());
  clock.advance(2s);
  EXPECT_THAT(processor->order(clock.steady()), ElementsAre(1, 0, 2));
}

TEST_F(FailoverTest, SinksWithoutAPriorityComeBehindInTheirOrder) {
  auto processor = make(section(
      {{"sinks", "k1 k2 k3"}, {"processor.type", "failover"}, {"processor.priority.k2", "high"}}));
  ASSERT_TRUE(processor);
  EXPECT_THAT(processor->order(clock.steady()), ElementsAre(0, 1, 2));
  EXPECT_EQ(diagnostics.error_count(), 0u);
  EXPECT_THAT(diagnostics.to_string(),
              testing::AllOf(
                  HasSubstr("a.conf:3: warning: a1.sinkgroups.g1.processor.priority.k2 = \"high\": "
                            "expected a whole number: the sink comes behind the others"),
                  HasSubstr("processor.priority.k1: is missing: sink k1 comes behind those that "
                            "have one, as -1"),
                  HasSubstr("processor.priority.k3: is missing: sink k3 comes behind those that "
                            "have one, as -3")));
}

TEST_F(FailoverTest, OfTwoWithOnePriorityTheLaterIsNeverUsed) {
  auto processor = make(section({{"sinks", "k1 k2"},
                                 {"processor.type", "failover"},
                                 {"processor.priority.k1", "5"},
                                 {"processor.priority.k2", "5"},
                                 {"processor.priority.k9", "5"}}),
                        {"k1", "k2"});
  ASSERT_TRUE(processor);
  EXPECT_THAT(processor->order(clock.steady()), ElementsAre(0));
  EXPECT_FALSE(is_active(*processor, 1));
  EXPECT_THAT(
      diagnostics.to_string(),
      testing::AllOf(HasSubstr("a.conf:4: warning: a1.sinkgroups.g1.processor.priority.k2 = \"5\": "
                               "sink k1 has the priority 5 already: k2 is never used"),
                     HasSubstr("processor.priority.k9 = \"5\": sink k9 is not in the group")));
}

TEST_F(FailoverTest, ABadMaxpenaltyIsTheDefault) {
  auto processor = make(section({{"sinks", "k1"},
                                 {"processor.priority.k1", "1"},
                                 {"processor.maxpenalty", "long"},
                                 {"processor.parallel", "true"}}),
                        {"k1"});
  ASSERT_TRUE(processor);
  EXPECT_THAT(processor->plan(), HasSubstr("30 s at most"));
  EXPECT_THAT(diagnostics.to_string(), testing::AllOf(HasSubstr("the default 30000 is used"),
                                                      HasSubstr("processor.parallel")));
}

TEST(SinkProcessors, GoByAliasAndClassName) {
  for (const char* name : {"failover", "FAILOVER", "org.apache.flume.sink.FailoverSinkProcessor",
                           "load_balance", "org.apache.flume.sink.LoadBalancingSinkProcessor",
                           "default", "org.apache.flume.sink.DefaultSinkProcessor"}) {
    EXPECT_NE(SinkProcessorRegistry::instance().find(name), nullptr) << name;
  }
}

TEST(DefaultProcessor, TakesOneSink) {
  Diagnostics diagnostics;
  const auto* entry = SinkProcessorRegistry::instance().find("default");
  EXPECT_TRUE(entry->prepare({{"sinks", "k1"}}, diagnostics, common_group_keys()));
  EXPECT_FALSE(entry->prepare({{"sinks", "k1 k2"}}, diagnostics, common_group_keys()));
  EXPECT_THAT(diagnostics.to_string(), HasSubstr("the default processor runs one sink"));
}

}  // namespace
}  // namespace millrace
