// What tests of the spillable memory channel share: one over /data and /check in memory.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "channel/spillable/spillable_memory_channel.h"
#include "core/testing_services.h"

namespace millrace {

using Bodies = std::vector<std::string>;
using Keys = std::map<std::string, std::string>;
using Operation = FakeFileSystem::Operation;

class SpillableTest : public testing::Test {
 protected:
  void make(const Keys& more = {}) {
    channel.reset();
    PropertySection section;
    Keys keys{{"dataDirs", "/data"},          {"checkpointDir", "/check"},
              {"maxFileSize", "65536"},       {"minimumRequiredSpace", "1048576"},
              {"checkpointInterval", "1000"}, {"overflowTimeout", "0"}};
    for (const auto& [key, value] : more) {
      keys[key] = value;
    }
    for (const auto& [key, value] : keys) {
      section.set({.key = key, .value = value});
    }
    Diagnostics diagnostics;
    const auto config = bind<SpillableMemoryConfig>(section, diagnostics, common_channel_keys());
    ASSERT_TRUE(config) << diagnostics.to_string();
    channel = std::make_unique<SpillableMemoryChannel>(
        *config, ChannelContext{"c1", kit.services, metrics, std::size_t{1} << 26});
  }
  void open(const Keys& more = {}) {
    make(more);
    const Result<> started = channel->start();
    ASSERT_TRUE(started.ok()) << started.error().message();
  }
  // As a kill does: nothing that the channel has not written yet is written by its end.
  void kill() {
    kit.files.cut_power();
    channel.reset();
    kit.files.restore_power();
  }

  // What became of a put; the channel answers one in memory before put() returns.
  struct Answer {
    std::atomic<bool> came = false;
    std::atomic<bool> ok = false;
    std::atomic<bool> in_memory = false;
  };
  PutStatus offer(const BatchPtr& batch, const std::shared_ptr<Answer>& answer) {
    PutDone done = [answer, putter = std::this_thread::get_id()](const Result<>& result) {
      answer->ok = result.ok();
      answer->in_memory = std::this_thread::get_id() == putter;
      answer->came = true;
    };
    return channel->put(batch, done);
  }
  // Puts, waits for the answer, and says whether the batch is in memory alone; nothing when it was
  // refused.
  std::optional<bool> put(const BatchPtr& batch) {
    const auto answer = std::make_shared<Answer>();
    if (offer(batch, answer) != PutStatus::kAccepted) {
      return std::nullopt;
    }
    EXPECT_TRUE(testing_kit::eventually([&] { return answer->came.load(); }));
    return answer->ok ? std::optional<bool>(answer->in_memory) : std::nullopt;
  }
  std::optional<bool> put(const Bodies& bodies) { return put(kit.slabs.batch_of_bodies(bodies)); }

  std::optional<Lease> take(std::size_t events = 1000) {
    return channel->take({events, std::size_t{1} << 30}, {}, {});
  }
  void commit(const Lease& lease) { channel->commit({&lease, 1}, {}, {}); }
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

  testing_kit::TestServices kit;
  MetricGroup& metrics = kit.metrics.group("CHANNEL", "c1");
  std::unique_ptr<SpillableMemoryChannel> channel;
};

}  // namespace millrace
