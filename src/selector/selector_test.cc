#include <gtest/gtest.h>

#include <map>
#include <set>

#include "core/registry.h"
#include "core/testing.h"

namespace millrace {
namespace {

using testing_kit::bodies_of;
using testing_kit::TestEvent;
using Bodies = std::vector<std::string>;

class SelectorTest : public testing::Test {
 protected:
  std::unique_ptr<Selector> make(std::string_view type, const PropertySection& keys,
                                 std::vector<std::string> channels) {
    Diagnostics diagnostics;
    const auto* entry = SelectorRegistry::instance().find(type);
    EXPECT_NE(entry, nullptr) << type;
    const auto prepared = entry->prepare(keys, diagnostics, common_nested_keys());
    EXPECT_TRUE(prepared) << diagnostics.to_string();
    names = channels;
    return prepared->make({std::move(channels)});
  }
  // What each channel got: "ch1" → bodies, and "ch1?" where it was optional.
  std::map<std::string, Bodies> routed(Selector& selector, const std::vector<TestEvent>& events) {
    const Routing routing = selector.route(slabs.batch_of(events));
    unrouted = routing.unrouted;
    std::map<std::string, Bodies> got;
    for (const Route& route : routing.routes) {
      Bodies& all = got[names[route.channel] + (route.required ? "" : "?")];
      for (const std::string& body : bodies_of(*route.batch)) {
        all.push_back(body);
      }
    }
    return got;
  }
  static TestEvent event(const std::string& body, const std::string& type) {
    return {body, {{"type", type}}};
  }

  testing_kit::Slabs slabs;
  std::vector<std::string> names;
  std::size_t unrouted = 0;
};

using Routed = std::map<std::string, Bodies>;

// Flume: TestReplicatingChannelSelector.
TEST_F(SelectorTest, ReplicatingSendsEverythingEverywhere) {
  const auto selector =
      make("REPLICATING", {{"optional", "ch1  ch4 ch1"}}, {"ch1", "ch2", "ch3", "ch4"});
  EXPECT_EQ(routed(*selector, {{"a", {}}}),
            (Routed{{"ch1?", {"a"}}, {"ch2", {"a"}}, {"ch3", {"a"}}, {"ch4?", {"a"}}}));
}

// Flume: TestMultiplexingChannelSelector#testSelection.
TEST_F(SelectorTest, MultiplexingGoesByTheValue) {
  const auto selector = make("multiplexing",
                             {{"header", "type"},
                              {"mapping.foo", "ch1  ch2"},
                              {"mapping.bar", "ch3"},
                              {"optional.foo", "ch2 ch3"},
                              {"default", "ch1 ch3"},
                              {"optional.zebra", "ch1 ch2 ch3"},
                              {"mapping.xyz", "ch1 ch2"},
                              {"optional.xyz", "ch1"}},
                             {"ch1", "ch2", "ch3"});
  EXPECT_EQ(routed(*selector, {event("a", "foo")}),
            (Routed{{"ch1", {"a"}}, {"ch2", {"a"}}, {"ch3?", {"a"}}}));
  EXPECT_EQ(routed(*selector, {event("a", "bar"), event("b", "nobody"), event("c", ""), {"d", {}}}),
            (Routed{{"ch1", {"b", "c", "d"}}, {"ch3", {"a", "b", "c", "d"}}}));
  EXPECT_EQ(routed(*selector, {event("z", "zebra")}),
            (Routed{{"ch1", {"z"}}, {"ch3", {"z"}}, {"ch2?", {"z"}}}));
  EXPECT_EQ(routed(*selector, {event("x", "xyz")}), (Routed{{"ch1", {"x"}}, {"ch2", {"x"}}}));
  EXPECT_EQ(routed(*selector, {event("a", "Foo")}), (Routed{{"ch1", {"a"}}, {"ch3", {"a"}}}));
}

// Flume: TestMultiplexingChannelSelector#testNoDefault.
TEST_F(SelectorTest, WhatIsMappedNowhereIsCounted) {
  const auto selector =
      make("org.apache.flume.channel.MultiplexingChannelSelector",
           {{"header", "type"}, {"mapping.foo", "ch1"}, {"optional.only", "ch2"}}, {"ch1", "ch2"});
  EXPECT_EQ(
      routed(*selector, {event("a", "asia"), event("b", "foo"), {"c", {}}, event("d", "only")}),
      (Routed{{"ch1", {"b"}}, {"ch2?", {"d"}}}));
  EXPECT_EQ(unrouted, 2u);
}

// Flume: TestLoadBalancingChannelSelector. The second name is that of a jar which sites use.
TEST_F(SelectorTest, RoundRobinVisitsEveryChannelInTurn) {
  for (const char* type : {"load_balancing", "com.sars.flume.RoundRobinChannelSelector"}) {
    const auto selector = make(type, {}, {"c1", "c2", "c3"});
    EXPECT_EQ(routed(*selector, {{"0", {}}, {"1", {}}, {"2", {}}, {"3", {}}}),
              (Routed{{"c1", {"0", "3"}}, {"c2", {"1"}}, {"c3", {"2"}}}));
    EXPECT_EQ(routed(*selector, {{"4", {}}}), (Routed{{"c2", {"4"}}}));
  }
}

TEST_F(SelectorTest, RandomReachesEveryChannelAndEachEventOne) {
  const auto selector = make("load_balancing", {{"policy", "random"}}, {"c1", "c2"});
  std::vector<TestEvent> events(1000);
  const Routed got = routed(*selector, events);
  ASSERT_EQ(got.size(), 2u);
  EXPECT_EQ(got.at("c1").size() + got.at("c2").size(), 1000u);
}

}  // namespace
}  // namespace millrace
