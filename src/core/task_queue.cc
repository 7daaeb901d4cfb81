#include "core/task_queue.h"

#include <algorithm>

namespace millrace {

void TaskQueue::post(std::function<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  posted_.notify_one();
}

void TaskQueue::post_after(std::chrono::milliseconds delay, std::function<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    timers_.emplace(std::chrono::steady_clock::now() + delay, std::move(task));
  }
  posted_.notify_one();
}

bool TaskQueue::collect_due(std::vector<std::function<void()>>& due) {
  due.swap(tasks_);
  if (!timers_.empty()) {
    const auto end = timers_.upper_bound(std::chrono::steady_clock::now());
    for (auto timer = timers_.begin(); timer != end; ++timer) {
      due.push_back(std::move(timer->second));
    }
    timers_.erase(timers_.begin(), end);
  }
  return !due.empty();
}

bool TaskQueue::run_due() {
  std::vector<std::function<void()>> due;
  {
    const std::lock_guard lock(mutex_);
    if (!collect_due(due)) {
      return false;
    }
  }
  for (const std::function<void()>& task : due) {
    task();
  }
  return true;
}

bool TaskQueue::run_until(const std::function<bool()>& done, SteadyTime deadline,
                          std::stop_token stop) {
  while (!done()) {
    if (run_due()) {
      continue;
    }
    if (stop.stop_requested() || std::chrono::steady_clock::now() >= deadline) {
      return false;
    }
    std::unique_lock lock(mutex_);
    const SteadyTime wake = timers_.empty() ? deadline : std::min(deadline, timers_.begin()->first);
    posted_.wait_until(lock, stop, wake, [&] { return !tasks_.empty(); });
  }
  return true;
}

}  // namespace millrace
