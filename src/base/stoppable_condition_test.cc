#include "base/stoppable_condition.h"

#include <gtest/gtest.h>

#include <thread>

namespace millrace {
namespace {

using namespace std::chrono_literals;

SteadyTime in(std::chrono::milliseconds time) {
  return std::chrono::steady_clock::now() + time;
}

class StoppableConditionTest : public ::testing::Test {
 protected:
  bool wait(const std::stop_token& stop, SteadyTime deadline) {
    std::unique_lock lock(mutex_);
    return condition_.wait_until(lock, stop, deadline, [this] { return done_; });
  }
  void set_done() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    condition_.notify_one();
  }

  std::mutex mutex_;
  StoppableCondition condition_;
  bool done_ = false;
};

TEST_F(StoppableConditionTest, EndsWhenItIsDone) {
  std::jthread other([this] { set_done(); });
  EXPECT_TRUE(wait({}, in(10s)));
}

TEST_F(StoppableConditionTest, EndsAtTheDeadline) {
  EXPECT_FALSE(wait({}, in(1ms)));
}

TEST_F(StoppableConditionTest, AStopRequestEndsIt) {
  std::stop_source source;
  std::jthread other([&] { source.request_stop(); });
  const SteadyTime begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(wait(source.get_token(), in(60s)));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 30s);
}

TEST_F(StoppableConditionTest, NeverSleepsOnceStopped) {
  std::stop_source source;
  source.request_stop();
  const SteadyTime begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(wait(source.get_token(), in(60s)));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 30s);
}

// Goal: no stop request is missed, whenever it comes. Method: many waits, each against a request
// from another thread.
TEST_F(StoppableConditionTest, MissesNoStopRequest) {
  for (int i = 0; i < 2000; ++i) {
    std::stop_source source;
    std::jthread other([&] { source.request_stop(); });
    EXPECT_FALSE(wait(source.get_token(), in(60s)));
    ASSERT_TRUE(source.stop_requested());
  }
}

}  // namespace
}  // namespace millrace
