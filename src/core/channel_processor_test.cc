#include "core/channel_processor.h"

#include <gtest/gtest.h>

#include <thread>

#include "core/fake_channel.h"
#include "core/task_queue.h"

namespace millrace {
namespace {

using namespace std::chrono_literals;

// Everything to every channel; those from `optional_from` on are optional.
class EverywhereSelector final : public Selector {
 public:
  EverywhereSelector(std::size_t channels, std::size_t optional_from)
      : channels_(channels), optional_from_(optional_from) {}
  Routing route(const BatchPtr& batch) override {
    Routing routing;
    for (std::size_t i = 0; i < channels_; ++i) {
      routing.routes.push_back({i, batch, i < optional_from_});
    }
    return routing;
  }

 private:
  const std::size_t channels_;
  const std::size_t optional_from_;
};

class DropEverything final : public Interceptor {
 public:
  void apply(EventBatch::Builder& batch) override {
    batch.drop_if([](const EventRef&) { return true; });
  }
};

// Passes all on and counts the timers.
class TimerCount final : public Executor {
 public:
  explicit TimerCount(Executor& inner) : inner_(inner) {}
  void post(std::function<void()> task) override { inner_.post(std::move(task)); }
  void post_after(std::chrono::milliseconds delay, std::function<void()> task) override {
    ++timers;
    inner_.post_after(delay, std::move(task));
  }
  bool is_current() const override { return inner_.is_current(); }

  int timers = 0;

 private:
  Executor& inner_;
};

class ChannelProcessorTest : public testing::Test {
 protected:
  void make(std::vector<std::shared_ptr<FakeChannel>> made, WhenRefused when_refused,
            std::size_t optional_from = 100,
            std::vector<std::unique_ptr<Interceptor>> interceptors = {}) {
    tasks.adopt();
    channels = made;
    std::vector<std::shared_ptr<Channel>> plain(made.begin(), made.end());
    processor = std::make_unique<ChannelProcessor>(
        "r1", plain, std::make_unique<EverywhereSelector>(made.size(), optional_from),
        std::move(interceptors), ChannelProcessor::Services{clock, metrics, pool});
    processor->attach(tasks, when_refused);
  }
  void put(std::size_t events) {
    EventBatch::Builder builder(space);
    for (std::size_t i = 0; i < events; ++i) {
      builder.add(builder.store_body("e" + std::to_string(i)));
    }
    processor->put(builder, [this](const Result<>& result) {
      answers.push_back(result.ok() ? "ok" : result.error().message());
    });
  }
  bool run_until(const std::function<bool()>& holds) {
    return tasks.run_until(holds, std::chrono::steady_clock::now() + 10s, {});
  }

  ByteBudget budget{std::size_t{64} << 20};
  SlabPool pool{budget};
  BatchSpace space{pool};
  SystemClock clock;
  MetricGroup metrics{"SOURCE", "r1"};
  TaskQueue tasks;
  std::vector<std::shared_ptr<FakeChannel>> channels;
  std::unique_ptr<ChannelProcessor> processor;
  std::vector<std::string> answers;
};

using Answers = std::vector<std::string>;

TEST_F(ChannelProcessorTest, CutsToTheTransactionCapacityAndAnswersOnce) {
  make({std::make_shared<FakeChannel>(1000, 4), std::make_shared<FakeChannel>(1000, 100)},
       WhenRefused::kWait);
  put(10);
  EXPECT_EQ(channels[0]->batch_sizes(), (std::vector<std::size_t>{4, 4, 2}));
  EXPECT_EQ(channels[1]->batch_sizes(), (std::vector<std::size_t>{10}));
  EXPECT_EQ(answers, Answers{"ok"});
  EXPECT_EQ(metrics.counter("EventAcceptedCount").value(), 10u);
}

TEST_F(ChannelProcessorTest, AFullChannelStopsTheSourceUntilThereIsRoom) {
  make({std::make_shared<FakeChannel>(10, 10)}, WhenRefused::kWait);
  put(8);
  put(5);
  EXPECT_FALSE(processor->ready());
  EXPECT_EQ(answers, Answers{"ok"});
  bool woken = false;
  processor->when_ready([&] { woken = true; });
  channels[0]->make_room();
  ASSERT_TRUE(run_until([&] { return woken; }));
  EXPECT_EQ(answers, (Answers{"ok", "ok"}));
  EXPECT_EQ(channels[0]->bodies().size(), 5u);
}

TEST_F(ChannelProcessorTest, AClientIsAnsweredWhenTheKeepAliveIsOver) {
  make({std::make_shared<FakeChannel>(10, 10)}, WhenRefused::kAnswer);
  put(8);
  put(5);
  ASSERT_TRUE(run_until([&] { return answers.size() == 2; }));
  EXPECT_NE(answers[1].find("full"), std::string::npos);
  EXPECT_TRUE(processor->ready());
}

// Goal: a channel that stays full answers the next client too, although its wake is still awaited.
TEST_F(ChannelProcessorTest, EveryClientOfAFullChannelIsAnswered) {
  make({std::make_shared<FakeChannel>(10, 10)}, WhenRefused::kAnswer);
  put(8);
  for (std::size_t refused = 1; refused <= 3; ++refused) {
    put(5);
    ASSERT_TRUE(run_until([&] { return answers.size() == 1 + refused; }));
    EXPECT_NE(answers.back().find("full"), std::string::npos);
  }
}

// Goal: puts that always wait for a full channel do not pile up timers. Method: it has room for one
// of them at a time.
TEST_F(ChannelProcessorTest, OneTimerWatchesAFullChannel) {
  make({std::make_shared<FakeChannel>(10, 10)}, WhenRefused::kAnswer);
  TimerCount executor(tasks);
  processor->attach(executor, WhenRefused::kAnswer);
  for (int i = 0; i < 10; ++i) {
    put(10);
  }
  for (int i = 0; i < 8; ++i) {
    channels[0]->make_room();
    tasks.run_due();
  }
  EXPECT_LE(executor.timers, 2);  // Two where the keep-alive ran out meanwhile.
  processor->give_up();
}

TEST_F(ChannelProcessorTest, AFailedPutIsTriedAgainWhereNobodyCanBeTold) {
  make({std::make_shared<FakeChannel>()}, WhenRefused::kWait);
  channels[0]->defer_answers();
  put(3);
  channels[0]->answer(transient("no space left"));
  EXPECT_TRUE(answers.empty());
  ASSERT_TRUE(run_until([&] { return channels[0]->unanswered() == 1; }));
  channels[0]->answer({});
  EXPECT_EQ(answers, Answers{"ok"});
}

// Goal: puts that were under way together and failed together keep their order.
TEST_F(ChannelProcessorTest, FailedPutsAreTriedAgainInTheirOrder) {
  make({std::make_shared<FakeChannel>()}, WhenRefused::kWait);
  channels[0]->defer_answers();
  for (const std::size_t events : {1, 2, 3}) {
    put(events);
  }
  for (int i = 0; i < 3; ++i) {
    channels[0]->answer(transient("no space left"));
  }
  ASSERT_TRUE(run_until([&] { return channels[0]->unanswered() == 3; }));
  EXPECT_EQ(channels[0]->batch_sizes(), (std::vector<std::size_t>{1, 2, 3, 1, 2, 3}));
}

TEST_F(ChannelProcessorTest, OnARetryOnlyTheChannelThatFailedGetsItAgain) {
  make({std::make_shared<FakeChannel>(), std::make_shared<FakeChannel>()}, WhenRefused::kWait);
  channels[1]->defer_answers();
  put(3);
  channels[1]->answer(transient("no space left"));
  ASSERT_TRUE(run_until([&] { return channels[1]->unanswered() == 1; }));
  channels[1]->answer({});
  EXPECT_EQ(channels[0]->batch_sizes().size(), 1u);
  EXPECT_EQ(channels[1]->batch_sizes().size(), 2u);
}

TEST_F(ChannelProcessorTest, AnswersComeOnTheExecutorWhateverThreadTheChannelUses) {
  make({std::make_shared<FakeChannel>()}, WhenRefused::kWait);
  channels[0]->defer_answers();
  put(1);
  std::jthread([&] { channels[0]->answer({}); }).join();
  EXPECT_TRUE(answers.empty());
  ASSERT_TRUE(run_until([&] { return answers.size() == 1; }));
}

TEST_F(ChannelProcessorTest, EightMegabytesInFlightAreEnough) {
  make({std::make_shared<FakeChannel>()}, WhenRefused::kWait);
  channels[0]->defer_answers();
  const std::string big(5'000'000, 'x');
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(processor->ready());
    EventBatch::Builder builder(space);
    builder.add(builder.store_body(big));
    processor->put(builder);
  }
  EXPECT_FALSE(processor->ready());
  channels[0]->answer({});
  EXPECT_TRUE(processor->ready());
}

TEST_F(ChannelProcessorTest, AFullOptionalChannelLeavesTheRequiredOneAlone) {
  make({std::make_shared<FakeChannel>(), std::make_shared<FakeChannel>(2, 2)}, WhenRefused::kWait,
       1);
  put(10);
  EXPECT_EQ(answers, Answers{"ok"});
  EXPECT_TRUE(processor->ready());
  EXPECT_EQ(channels[0]->bodies().size(), 10u);
  ASSERT_TRUE(run_until([&] { return metrics.counter("OptionalChannelDropCount").value() == 8; }));
}

TEST_F(ChannelProcessorTest, ABatchThatInterceptorsEmptiedIsAnswered) {
  std::vector<std::unique_ptr<Interceptor>> interceptors;
  interceptors.push_back(std::make_unique<DropEverything>());
  make({std::make_shared<FakeChannel>()}, WhenRefused::kWait, 100, std::move(interceptors));
  put(4);
  EXPECT_EQ(answers, Answers{"ok"});
  EXPECT_EQ(metrics.counter("EventFilteredCount").value(), 4u);
}

TEST_F(ChannelProcessorTest, WhatCannotBePutAtStopIsCounted) {
  make({std::make_shared<FakeChannel>(1, 10)}, WhenRefused::kWait);
  put(4);
  processor->give_up();
  EXPECT_EQ(processor->unanswered(), 0u);
  EXPECT_EQ(metrics.counter("EventGivenUpCount").value(), 4u);
}

TEST_F(ChannelProcessorTest, WhatAnOptionalChannelStillWaitsForAtStopIsItsOwnLoss) {
  make({std::make_shared<FakeChannel>(), std::make_shared<FakeChannel>(2, 2)}, WhenRefused::kWait,
       1);
  put(10);
  processor->give_up();
  EXPECT_EQ(metrics.counter("EventGivenUpCount").value(), 0u);
  EXPECT_EQ(metrics.counter("OptionalChannelDropCount").value(), 8u);
}

}  // namespace
}  // namespace millrace
