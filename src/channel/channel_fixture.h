// What tests of whole channels share: one of a type over /data and /check in memory.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/component.h"
#include "core/registry.h"
#include "core/testing_services.h"

namespace millrace {

using Bodies = std::vector<std::string>;
using Keys = std::map<std::string, std::string>;
using Operation = FakeFileSystem::Operation;

template <class ChannelType>
class ChannelFixture : public testing::Test {
 protected:
  // With small segments.
  void make(const Keys& more = {}, std::size_t memory_share = 1 << 26) {
    channel.reset();
    Keys keys = usual_keys;
    for (const auto& [key, value] : more) {
      keys[key] = value;
    }
    PropertySection section;
    for (const auto& [key, value] : keys) {
      section.set({.key = key, .value = value});
    }
    Diagnostics diagnostics;
    const auto config =
        bind<typename ChannelType::Config>(section, diagnostics, common_channel_keys());
    ASSERT_TRUE(config) << diagnostics.to_string();
    channel = std::make_unique<ChannelType>(
        *config, ChannelContext{"c1", kit.services, metrics, memory_share});
  }
  void open(const Keys& more = {}, std::size_t memory_share = 1 << 26) {
    make(more, memory_share);
    const Result<> started = channel->start();
    ASSERT_TRUE(started.ok()) << started.error().message();
  }
  std::optional<Lease> take(std::size_t events = 1000) {
    return channel->take({events, std::size_t{1} << 30}, {}, {});
  }
  void commit(const Lease& lease) { channel->commit({&lease, 1}, {}, {}); }
  // Takes all that is there, and commits it.
  Bodies drain() {
    Bodies all;
    while (const std::optional<Lease> lease = take()) {
      const Bodies bodies = testing_kit::bodies_of(*lease->batch);
      all.insert(all.end(), bodies.begin(), bodies.end());
      commit(*lease);
    }
    return all;
  }
  void expect_conserved() {
    const ChannelCounts counts = channel->counts();
    EXPECT_EQ(counts.put, counts.acknowledged + counts.dropped + counts.held + counts.in_channel);
  }

  Keys usual_keys{{"dataDirs", "/data"},
                  {"checkpointDir", "/check"},
                  {"maxFileSize", "65536"},
                  {"minimumRequiredSpace", "1048576"},
                  {"checkpointInterval", "1000"}};
  testing_kit::TestServices kit;
  MetricGroup& metrics = kit.metrics.group("CHANNEL", "c1");
  std::unique_ptr<ChannelType> channel;
};

}  // namespace millrace
