// What tests of the spillable memory channel share.
#pragma once

#include <atomic>
#include <memory>
#include <thread>

#include "channel/channel_fixture.h"
#include "channel/spillable/spillable_memory_channel.h"

namespace millrace {

class SpillableTest : public ChannelFixture<SpillableMemoryChannel> {
 protected:
  SpillableTest() { usual_keys["overflowTimeout"] = "0"; }

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
};

}  // namespace millrace
