// A runner with the sinks of a group: who gets the transactions, and what is told of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <map>

#include "core/fake_channel.h"
#include "core/sink_runner.h"
#include "core/take_transaction.h"
#include "core/testing.h"

namespace millrace {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing_kit::eventually;

struct Destination {
  std::atomic<bool> is_down{false};
  std::atomic<bool> starts{true};
  std::atomic<bool> numbers_failures{false};
  std::atomic<int> failures{0};
  std::atomic<int> idles{0};
  std::mutex mutex;
  std::vector<std::string> delivered;

  std::size_t count() {
    const std::lock_guard lock(mutex);
    return delivered.size();
  }
};

class DestinationSink final : public Sink {
 public:
  explicit DestinationSink(Destination& destination) : destination_(destination) {}
  Result<> start() override {
    return destination_.starts ? Result<>() : Result<>(transient("no such folder"));
  }
  Result<> deliver(const EventBatch& batch, Rejects&) override {
    if (destination_.is_down) {
      const int failures = ++destination_.failures;
      return transient("the destination is down" +
                       (destination_.numbers_failures ? ", " + std::to_string(failures) : ""));
    }
    const std::lock_guard lock(destination_.mutex);
    for (const EventRef& event : batch) {
      destination_.delivered.emplace_back(event.body());
    }
    return {};
  }
  Result<> flush() override { return {}; }
  Result<> idle() override {
    ++destination_.idles;
    return {};
  }
  std::size_t batch_size() const override { return 100; }

 private:
  Destination& destination_;
};

// The first sink that does not rest; one rests for `rest` after a failure.
class FirstThatWorks final : public SinkProcessor {
 public:
  explicit FirstThatWorks(std::chrono::milliseconds rest) : rest_(rest) {}
  std::vector<std::size_t> order(SteadyTime now) override {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      if (members_[i].rests_until <= now) {
        order.push_back(i);
      }
    }
    return order;
  }
  void note(std::size_t sink, Turn turn, SteadyTime now) override {
    SinkStanding& member = members_[sink];
    member.failures = turn == Turn::kFailed ? member.failures + 1 : 0;
    member.rests_until = turn == Turn::kFailed ? now + rest_ : SteadyTime();
  }
  SinkStanding standing(std::size_t sink, SteadyTime now) const override {
    SinkStanding standing = members_[sink];
    standing.is_active = standing.rests_until <= now && (sink == 0 || members_[0].failures > 0);
    return standing;
  }
  std::string plan() const override { return "the first that works"; }

 private:
  const std::chrono::milliseconds rest_;
  std::vector<SinkStanding> members_{2};
};

class SinkGroupTest : public testing::Test {
 protected:
  void put(const std::string& body) {
    PutDone done = [](const Result<>&) {};
    ASSERT_EQ(channel->put(slabs.batch_of_bodies({body}), done), PutStatus::kAccepted);
  }
  std::unique_ptr<SinkDrain> drain(const std::string& name, Destination& destination,
                                   MetricGroup& metrics) {
    return std::make_unique<SinkDrain>(name, channel,
                                       std::make_unique<DestinationSink>(destination), metrics,
                                       clock, SinkDrain::Options{});
  }
  void start() {
    std::vector<std::unique_ptr<SinkDrain>> sinks;
    sinks.push_back(drain("k1", first, first_metrics));
    sinks.push_back(drain("k2", second, second_metrics));
    runner = std::make_unique<SinkRunner>("sink group g1", std::move(sinks),
                                          std::make_unique<FirstThatWorks>(rest), clock, 20ms);
    runner->start();
  }

  SystemClock clock;
  testing_kit::Slabs slabs;
  std::shared_ptr<FakeChannel> channel = std::make_shared<FakeChannel>();
  Destination first;
  Destination second;
  MetricGroup first_metrics{"SINK", "k1"};
  MetricGroup second_metrics{"SINK", "k2"};
  std::chrono::milliseconds rest = 200ms;
  std::unique_ptr<SinkRunner> runner;
};

TEST_F(SinkGroupTest, WhatOneSinkFailsAtTheNextDeliversAtOnce) {
  first.is_down = true;
  start();
  put("a");
  ASSERT_TRUE(eventually([&] { return second.count() == 1; }));
  ASSERT_TRUE(eventually([&] { return channel->counts().acknowledged == 1; }));
  EXPECT_EQ(channel->roll_backs(), 1u);
  EXPECT_TRUE(runner->health().ok());
  EXPECT_FALSE(runner->sinks()[0]->health().ok());
  EXPECT_TRUE(runner->sinks()[1]->health().ok());
}

TEST_F(SinkGroupTest, OneThatFailedAndHadNothingToDeliverSinceIsNotWell) {
  first.is_down = true;
  const std::unique_ptr<SinkDrain> sink = drain("k1", first, first_metrics);
  put("a");
  EXPECT_FALSE(sink->drain_once(clock.steady(), {}).ok());
  {
    TakeTransaction other(*channel);
    ASSERT_NE(other.take({100, 1000}, clock.steady(), {}), nullptr);
    other.commit({}, clock.steady());
  }
  EXPECT_TRUE(sink->drain_once(clock.steady(), {}).ok());
  EXPECT_FALSE(sink->health().ok());
  first.is_down = false;
  put("b");
  EXPECT_TRUE(sink->drain_once(clock.steady(), {}).ok());
  EXPECT_TRUE(sink->health().ok());
}

// One that did not start is well as soon as it does.
TEST_F(SinkGroupTest, OneThatStartsAtLastIsWellWithoutEvents) {
  first.starts = false;
  const std::unique_ptr<SinkDrain> sink = drain("k1", first, first_metrics);
  put("a");
  EXPECT_FALSE(sink->drain_once(clock.steady(), {}).ok());
  EXPECT_FALSE(sink->health().ok());
  first.starts = true;
  {
    TakeTransaction other(*channel);
    ASSERT_NE(other.take({100, 1000}, clock.steady(), {}), nullptr);
    other.commit({}, clock.steady());
  }
  EXPECT_TRUE(sink->drain_once(clock.steady(), {}).ok());
  EXPECT_TRUE(sink->health().ok());
}

TEST_F(SinkGroupTest, AFailureThatReadsDifferentlyEachTimeIsNotLoggedEachTime) {
  first.is_down = true;
  first.numbers_failures = true;
  const std::unique_ptr<SinkDrain> sink = drain("k1", first, first_metrics);
  put("a");
  testing::internal::CaptureStderr();
  for (int i = 0; i < 50; ++i) {
    EXPECT_FALSE(sink->drain_once(clock.steady(), {}).ok());
  }
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_THAT(log, HasSubstr("the destination is down, 1;"));
  EXPECT_THAT(log, testing::Not(HasSubstr("is down, 2;")));
  EXPECT_THAT(sink->health().error().message(), HasSubstr("is down, 50"));
}

TEST_F(SinkGroupTest, OneThatWorksAgainIsUsedAgainAndNothingComesTwice) {
  first.is_down = true;
  start();
  put("a");
  ASSERT_TRUE(eventually([&] { return second.count() == 1; }));
  first.is_down = false;
  int sent = 1;
  ASSERT_TRUE(eventually([&] {
    put("b" + std::to_string(sent++));
    return first.count() > 0;
  }));
  ASSERT_TRUE(eventually([&] { return channel->counts().in_channel == 0; }));
  runner->stop(clock.steady() + 10s);
  EXPECT_EQ(first.count() + second.count(), static_cast<std::size_t>(sent));
}

TEST_F(SinkGroupTest, WhileAllFailTheEventsStayAndThatIsSaid) {
  first.is_down = true;
  second.is_down = true;
  start();
  put("a");
  ASSERT_TRUE(eventually([&] { return !runner->health().ok(); }));
  EXPECT_EQ(channel->counts().acknowledged, 0u);
  EXPECT_EQ(channel->counts().in_channel, 1u);
  second.is_down = false;
  ASSERT_TRUE(eventually([&] { return second.count() == 1; }));
  ASSERT_TRUE(eventually([&] { return runner->health().ok(); }));
}

TEST_F(SinkGroupTest, WhoDeliversAndWhoRestsIsTold) {
  start();
  ASSERT_TRUE(eventually([&] { return first_metrics.counter("GroupActive").value() == 1; }));
  EXPECT_EQ(second_metrics.counter("GroupActive").value(), 0u);
  EXPECT_EQ(runner->standings(), "k1 delivers; k2 stands by");
  first.is_down = true;
  const auto before = static_cast<std::uint64_t>(clock.wall_ms());
  put("a");
  ASSERT_TRUE(eventually([&] { return second_metrics.counter("GroupActive").value() == 1; }));
  EXPECT_EQ(first_metrics.counter("GroupActive").value(), 0u);
  EXPECT_EQ(first_metrics.counter("GroupFailures").value(), 1u);
  EXPECT_GE(first_metrics.counter("GroupRestsUntil").value(), before + 150);
  EXPECT_LT(first_metrics.counter("GroupRestsUntil").value(), before + 20'000);
  // Its rest may be over when this is asked.
  EXPECT_THAT(runner->standings(), HasSubstr("k2 deliver"));
}

TEST_F(SinkGroupTest, AStandbyThatDoesNotStartIsToldBeforeItIsNeeded) {
  second.starts = false;
  start();
  ASSERT_TRUE(eventually([&] { return !runner->sinks()[1]->health().ok(); }));
  EXPECT_TRUE(runner->health().ok());
}

TEST_F(SinkGroupTest, AStandbyHasItsTimeForWorkByTheClock) {
  start();
  ASSERT_TRUE(eventually([&] { return second.idles > 0; }));
}

// A rest may be longer than the time of a stop.
TEST_F(SinkGroupTest, AStopDoesNotWaitForTheEndOfTheRests) {
  first.is_down = true;
  second.is_down = true;
  rest = 1h;
  start();
  put("a");
  ASSERT_TRUE(eventually([&] { return !runner->sinks()[1]->health().ok(); }));
  second.is_down = false;
  runner->stop(clock.steady() + 10s);
  EXPECT_EQ(second.count(), 1u);
  EXPECT_EQ(channel->counts().in_channel, 0u);
}

TEST_F(SinkGroupTest, AStopEmptiesTheChannelFirst) {
  first.is_down = true;
  start();
  for (int i = 0; i < 50; ++i) {
    put(std::to_string(i));
  }
  runner->stop(clock.steady() + 10s);
  EXPECT_EQ(second.count(), 50u);
  EXPECT_EQ(channel->counts().in_channel, 0u);
}

}  // namespace
}  // namespace millrace
