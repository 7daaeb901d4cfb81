// The executor of a source that has a thread of its own: others post, the thread runs what waits.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/executor.h"
#include "base/stoppable_condition.h"

namespace millrace {

// Threads: post() and post_after() on any, the rest on the owner's.
class TaskQueue final : public Executor {
 public:
  void post(std::function<void()> task) override;
  void post_after(std::chrono::milliseconds delay, std::function<void()> task) override;
  bool is_current() const override { return std::this_thread::get_id() == owner_; }

  // The calling thread owns the queue from now on.
  void adopt() { owner_ = std::this_thread::get_id(); }
  // Runs what is due; returns whether anything was.
  bool run_due();
  // Runs what comes until `done()`, a stop request or the deadline; true when `done()`.
  bool run_until(const std::function<bool()>& done, SteadyTime deadline, std::stop_token stop);

 private:
  bool collect_due(std::vector<std::function<void()>>& due);

  std::thread::id owner_;
  std::mutex mutex_;  // Guards what follows.
  StoppableCondition posted_;
  std::vector<std::function<void()>> tasks_;
  std::multimap<SteadyTime, std::function<void()>> timers_;
};

}  // namespace millrace
