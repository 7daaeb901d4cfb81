#include "core/sink_runner.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "core/fake_channel.h"

namespace millrace {
namespace {

using namespace std::chrono_literals;

// What the runner does with a sink, and failures on demand.
struct Script {
  std::mutex mutex;
  std::vector<std::string> delivered;  // Since the last flush.
  std::vector<std::string> durable;
  int fail_deliver = 0;
  int fail_flush = 0;
  bool fail_start = false;
  std::size_t most_delivered = 1000;  // More make a flush fail.
  std::string reject;                 // Events with this body are rejected.
  std::atomic<int> flushes{0};
  std::atomic<bool> stopped{false};
};

class ScriptedSink final : public Sink {
 public:
  explicit ScriptedSink(Script& script) : script_(script) {}
  Result<> start() override {
    return script_.fail_start ? Result<>(transient("no such folder")) : Result<>();
  }
  Result<> deliver(const EventBatch& batch, Rejects& rejects) override {
    const std::lock_guard lock(script_.mutex);
    if (script_.fail_deliver > 0) {
      --script_.fail_deliver;
      script_.delivered.clear();
      return transient("the destination is down");
    }
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (batch[i].body() == script_.reject) {
        rejects.add(i, "no such topic");
      } else {
        script_.delivered.emplace_back(batch[i].body());
      }
    }
    return {};
  }
  Result<> flush() override {
    const std::lock_guard lock(script_.mutex);
    ++script_.flushes;
    if (script_.fail_flush > 0 || script_.delivered.size() > script_.most_delivered) {
      script_.fail_flush = std::max(script_.fail_flush - 1, 0);
      script_.delivered.clear();
      return transient("the disk is full");
    }
    script_.durable.insert(script_.durable.end(), script_.delivered.begin(),
                           script_.delivered.end());
    script_.delivered.clear();
    return {};
  }
  void stop() override { script_.stopped = true; }
  std::size_t batch_size() const override { return 100; }

 private:
  Script& script_;
};

class SinkRunnerTest : public testing::Test {
 protected:
  void put(const std::vector<std::string>& bodies) {
    EventBatch::Builder builder(space);
    for (const std::string& body : bodies) {
      builder.add(builder.store_body(body));
    }
    PutDone done = [](const Result<>&) {};
    ASSERT_EQ(channel->put(builder.seal(), done), PutStatus::kAccepted);
  }
  std::unique_ptr<SinkRunner> runner(OnRejected on_rejected = OnRejected::kHold) {
    return runner_of(
        std::make_unique<SinkDrain>("k1", channel, std::make_unique<ScriptedSink>(script), metrics,
                                    clock, SinkDrain::Options{on_rejected}),
        clock);
  }
  // Polls, with a deadline.
  bool eventually(const std::function<bool()>& holds) {
    const SteadyTime end = clock.steady() + 20s;
    while (!holds()) {
      if (clock.steady() > end) {
        return false;
      }
      std::this_thread::sleep_for(1ms);
    }
    return true;
  }
  std::size_t durable() {
    const std::lock_guard lock(script.mutex);
    return script.durable.size();
  }

  ByteBudget budget{std::size_t{8} << 20};
  SlabPool pool{budget};
  BatchSpace space{pool};
  SystemClock clock;
  MetricGroup metrics{"SINK", "k1"};
  std::shared_ptr<FakeChannel> channel = std::make_shared<FakeChannel>();
  Script script;
};

using Bodies = std::vector<std::string>;

TEST_F(SinkRunnerTest, DrainsTheChannelAtStopInOrder) {
  put({"a", "b"});
  put({"c"});
  const auto made = runner();
  made->start();
  made->stop(clock.steady() + 10s);
  EXPECT_EQ(script.durable, (Bodies{"a", "b", "c"}));
  EXPECT_TRUE(script.stopped);
  EXPECT_EQ(channel->counts().in_channel, 0u);
}

TEST_F(SinkRunnerTest, BatchesThatWaitShareOneFlush) {
  for (int i = 0; i < 50; ++i) {
    put({"x"});
  }
  const auto made = runner();
  made->start();
  ASSERT_TRUE(eventually([&] { return durable() == 50; }));
  EXPECT_EQ(script.flushes, 1);
}

TEST_F(SinkRunnerTest, TheSameBatchComesAgainAfterAFailure) {
  script.fail_deliver = 1;
  put({"a", "b"});
  const auto made = runner();
  made->start();
  ASSERT_TRUE(eventually([&] { return durable() == 2; }));
  EXPECT_EQ(script.durable, (Bodies{"a", "b"}));
  EXPECT_EQ(channel->roll_backs(), 1u);
}

// Goal: a destination that takes little at a time, as a file near its largest size does, gets it.
TEST_F(SinkRunnerTest, AGroupThatFailedComesAgainBatchByBatch) {
  script.most_delivered = 3;
  for (int i = 0; i < 8; ++i) {
    put({std::to_string(i)});
  }
  const auto made = runner();
  made->start();
  ASSERT_TRUE(eventually([&] { return durable() == 8; }));
  EXPECT_EQ(script.durable, (Bodies{"0", "1", "2", "3", "4", "5", "6", "7"}));
}

TEST_F(SinkRunnerTest, NothingIsForgottenBeforeTheFlush) {
  script.fail_flush = 1;
  put({"a"});
  const auto made = runner();
  made->start();
  ASSERT_TRUE(eventually([&] { return script.flushes == 1; }));
  EXPECT_EQ(channel->counts().acknowledged, 0u);
  ASSERT_TRUE(eventually([&] { return !made->health().ok(); }));
  ASSERT_TRUE(eventually([&] { return channel->counts().acknowledged == 1; }));
  ASSERT_TRUE(eventually([&] { return made->health().ok(); }));
}

TEST_F(SinkRunnerTest, RejectedEventsAreHeldAndTheRestGoesOn) {
  script.reject = "bad";
  put({"a", "bad", "b"});
  const auto made = runner();
  made->start();
  ASSERT_TRUE(eventually([&] { return durable() == 2; }));
  ASSERT_TRUE(eventually([&] { return channel->counts().held == 1; }));
  EXPECT_EQ(channel->counts().acknowledged, 2u);
  EXPECT_FALSE(made->health().ok());
}

TEST_F(SinkRunnerTest, RejectedEventsAreDroppedAndCountedWhenToldSo) {
  script.reject = "bad";
  put({"bad", "a"});
  const auto made = runner(OnRejected::kDrop);
  made->start();
  ASSERT_TRUE(eventually([&] { return channel->counts().dropped == 1; }));
  EXPECT_EQ(channel->counts().held, 0u);
}

TEST_F(SinkRunnerTest, ADeadDestinationOfADurableChannelDoesNotHoldTheStop) {
  script.fail_deliver = 1'000'000;
  put({"a"});
  const auto made = runner();
  made->start();
  ASSERT_TRUE(eventually([&] { return !made->health().ok(); }));
  const SteadyTime before = clock.steady();
  made->stop(before + 60s);
  EXPECT_LT(clock.steady() - before, 30s);
  EXPECT_EQ(channel->counts().in_channel, 1u);
}

TEST_F(SinkRunnerTest, ADeadDestinationOfAnEmptyChannelDoesNotHoldTheStop) {
  script.fail_start = true;
  channel->set_durable(false);
  const auto made = runner();
  made->start();
  ASSERT_TRUE(eventually([&] { return !made->health().ok(); }));
  const SteadyTime before = clock.steady();
  made->stop(before + 60s);
  EXPECT_LT(clock.steady() - before, 30s);
}

}  // namespace
}  // namespace millrace
