#include "channel/file/sleeping_takers.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>

#include "core/testing.h"

namespace millrace::file_channel {
namespace {

using testing_kit::eventually;

class SleepingTakersTest : public testing::Test {
 protected:
  // Starts a taker that writes its name down when it is up again; returns when it sleeps.
  std::jthread sleeper(char name) {
    std::unique_lock lock(mutex);
    const std::size_t before = asleep;
    lock.unlock();
    std::jthread thread([this, name] {
      std::unique_lock own(mutex);
      ++asleep;
      takers.sleep(own, {}, std::chrono::steady_clock::now() + std::chrono::seconds(20));
      up += name;
    });
    // It counts and goes to sleep under one hold of the lock.
    EXPECT_TRUE(eventually([&] {
      const std::lock_guard look(mutex);
      return asleep > before;
    }));
    return thread;
  }
  void expect_up(const std::string& names) {
    EXPECT_TRUE(eventually([&] {
      const std::lock_guard look(mutex);
      return up == names;
    })) << up;
  }

  std::mutex mutex;
  SleepingTakers takers;
  std::size_t asleep = 0;
  std::string up;
};

// Goal: the sinks that keep up are the same ones, and the others are left alone. Method: three
// sleep, and two wake-ups come before the first woken one can look.
TEST_F(SleepingTakersTest, WakesTheLastOneAndNoSecondOneBeforeItLooked) {
  const std::jthread a = sleeper('a');
  const std::jthread b = sleeper('b');
  const std::jthread c = sleeper('c');
  {
    const std::lock_guard lock(mutex);
    takers.wake_one();
    takers.wake_one();
  }
  expect_up("c");
  {
    const std::lock_guard lock(mutex);
    takers.wake_one();
  }
  expect_up("cb");
  const std::lock_guard lock(mutex);
  takers.wake_one();
}

TEST_F(SleepingTakersTest, WakesAllAtTheStop) {
  const std::jthread a = sleeper('a');
  const std::jthread b = sleeper('b');
  {
    const std::lock_guard lock(mutex);
    takers.wake_one();
    takers.wake_all();
  }
  EXPECT_TRUE(eventually([&] {
    const std::lock_guard look(mutex);
    return up.size() == 2;
  }));
}

TEST_F(SleepingTakersTest, OneThatGaveUpWaitingIsNotWokenInAnothersPlace) {
  const std::jthread a = sleeper('a');
  {
    std::unique_lock lock(mutex);
    takers.sleep(lock, {}, std::chrono::steady_clock::now());
    takers.wake_one();
  }
  expect_up("a");
}

TEST_F(SleepingTakersTest, AStopRequestEndsTheSleep) {
  std::jthread thread([this](const std::stop_token& stop) {
    std::unique_lock own(mutex);
    takers.sleep(own, stop, std::chrono::steady_clock::now() + std::chrono::seconds(20));
    up += 's';
  });
  thread.request_stop();
  expect_up("s");
}

}  // namespace
}  // namespace millrace::file_channel
