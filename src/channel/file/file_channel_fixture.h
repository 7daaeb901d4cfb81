// What tests of the whole file channel share: one over /data and /check in memory.
#pragma once

#include <gtest/gtest.h>

#include <future>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "channel/file/file_channel.h"
#include "core/testing_services.h"

namespace millrace {

using Bodies = std::vector<std::string>;
using Keys = std::map<std::string, std::string>;
using Operation = FakeFileSystem::Operation;

class FileChannelTest : public testing::Test {
 protected:
  // With small segments.
  void make(const Keys& more = {}, std::size_t memory_share = 1 << 26) {
    channel.reset();
    PropertySection section;
    Keys keys{{"dataDirs", "/data"},
              {"checkpointDir", "/check"},
              {"maxFileSize", "65536"},
              {"minimumRequiredSpace", "1048576"},
              {"checkpointInterval", "1000"}};
    for (const auto& [key, value] : more) {
      keys[key] = value;
    }
    for (const auto& [key, value] : keys) {
      section.set({.key = key, .value = value});
    }
    Diagnostics diagnostics;
    const auto config = bind<FileChannelConfig>(section, diagnostics, common_channel_keys());
    ASSERT_TRUE(config) << diagnostics.to_string();
    channel = std::make_unique<FileChannel>(
        *config, ChannelContext{"c1", kit.services, metrics, memory_share});
  }
  void open(const Keys& more = {}, std::size_t memory_share = 1 << 26) {
    make(more, memory_share);
    const Result<> started = channel->start();
    ASSERT_TRUE(started.ok()) << started.error().message();
  }
  // Puts, and waits for the answer.
  Result<> put(const BatchPtr& batch) {
    auto answer = std::make_shared<std::promise<Result<>>>();
    auto future = answer->get_future();
    PutDone done = [answer](Result<> result) { answer->set_value(std::move(result)); };
    const PutStatus status = channel->put(batch, done);
    if (status != PutStatus::kAccepted) {
      return transient(status == PutStatus::kFull ? "full" : "closed");
    }
    return future.get();
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

  testing_kit::TestServices kit;
  MetricGroup& metrics = kit.metrics.group("CHANNEL", "c1");
  std::unique_ptr<FileChannel> channel;
};

}  // namespace millrace
