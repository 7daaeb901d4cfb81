#include "io/event_loop.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <thread>
#include <vector>

namespace millrace {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

TEST(EventLoopTest, RunsPostedTasksInOrderOnItsThread) {
  EventLoop loop("test");
  std::vector<int> order;
  for (int i = 0; i < 100; ++i) {
    loop.post([&, i] {
      EXPECT_TRUE(loop.is_current());
      order.push_back(i);
    });
  }
  loop.run_and_wait([] {});
  EXPECT_FALSE(loop.is_current());
  ASSERT_EQ(order.size(), 100U);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST(EventLoopTest, RunsATaskLater) {
  EventLoop loop("test");
  std::promise<Clock::time_point> ran;
  const auto begin = Clock::now();
  loop.post_after(20ms, [&] { ran.set_value(Clock::now()); });
  auto future = ran.get_future();
  ASSERT_EQ(future.wait_for(10s), std::future_status::ready);
  EXPECT_GE(future.get() - begin, 20ms);
  loop.stop();  // Before what the task holds on to goes.
}

// Goal: what was posted before stop() is run, and nobody who waits for a task hangs afterwards.
TEST(EventLoopTest, StopRunsWhatWasPosted) {
  EventLoop loop("test");
  std::atomic<int> count{0};
  for (int i = 0; i < 1000; ++i) {
    loop.post([&] { ++count; });
  }
  loop.stop();
  EXPECT_EQ(count, 1000);
  loop.run_and_wait([&] { ++count; });
  EXPECT_EQ(count, 1001);
  loop.stop();
}

TEST(EventLoopTest, HooksRunAtTheEndOfATurnUntilRemoved) {
  EventLoop loop("test");
  int first = 0;
  int second = 0;
  EventLoop::HookId one = 0;
  loop.run_and_wait([&] {
    one = loop.add_turn_hook([&] {
      ++first;
      loop.remove_turn_hook(one);
    });
    loop.add_turn_hook([&] { ++second; });
    EXPECT_EQ(first, 0);
  });
  loop.run_and_wait([] {});
  loop.stop();
  EXPECT_EQ(first, 1);
  EXPECT_GE(second, 2);
}

// Goal: a task that posts itself again does not starve the hooks.
TEST(EventLoopTest, AFloodOfTasksStillEndsTurns) {
  EventLoop loop("test");
  std::promise<void> hooked;
  std::atomic<bool> flooding{true};
  std::function<void()> again = [&] {
    if (flooding) {
      loop.post(again);
    }
  };
  loop.run_and_wait([&] {
    loop.add_turn_hook([&] {
      if (flooding.exchange(false)) {
        hooked.set_value();
      }
    });
    again();
  });
  EXPECT_EQ(hooked.get_future().wait_for(10s), std::future_status::ready);
  loop.stop();  // Before what the hook looks at goes.
}

// Runs a turn that reads `bytes`, and says how long it was until the next turn began.
Clock::duration time_behind_read(EventLoop& loop, std::size_t bytes,
                                 std::chrono::microseconds pause) {
  std::promise<Clock::duration> result;
  loop.run_and_wait([&] {
    const auto read_at = Clock::now();
    loop.count_read(bytes, pause);
    const auto hook = std::make_shared<EventLoop::HookId>();
    *hook = loop.add_turn_hook([&loop, &result, read_at, hook] {
      loop.remove_turn_hook(*hook);
      loop.post([&result, read_at] { result.set_value(Clock::now() - read_at); });
    });
  });
  const Clock::duration behind = result.get_future().get();
  loop.run_and_wait([] {});  // Then the task above has let go of its promise.
  return behind;
}

constexpr auto kPause = 50ms;  // Long, so that a slow machine is not taken for a pause.

// A pause that is due may be missed when the machine is busy for a millisecond between two reads,
// and what is none may last long: both are tried again before they count.
bool pauses(const std::function<Clock::duration()>& time_behind) {
  for (int i = 0; i < 20; ++i) {
    if (time_behind() >= kPause) {
      return true;
    }
  }
  return false;
}
bool goes_on(const std::function<Clock::duration()>& time_behind) {
  for (int i = 0; i < 5; ++i) {
    if (time_behind() < kPause) {
      return true;
    }
  }
  return false;
}

TEST(EventLoopTest, PausesBehindSmallReadsThatFollowEachOther) {
  EventLoop loop("test");
  EXPECT_TRUE(pauses([&] { return time_behind_read(loop, 100, kPause); }));
  EXPECT_TRUE(goes_on([&] { return time_behind_read(loop, 100, 0us); }));
  EXPECT_TRUE(goes_on([&] { return time_behind_read(loop, EventLoop::kSmallTurn, kPause); }));
}

TEST(EventLoopTest, DoesNotPauseBehindTheFirstReadAfterAQuietTime) {
  EventLoop loop("test");
  time_behind_read(loop, 100, kPause);
  EXPECT_TRUE(goes_on([&] {
    const auto quiet_since = Clock::now();
    while (Clock::now() - quiet_since < 5ms) {
      std::this_thread::yield();
    }
    return time_behind_read(loop, 100, kPause);
  }));
}

}  // namespace
}  // namespace millrace
