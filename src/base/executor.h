// Where a callback is to run: an event loop, or the queue of a source's own thread.
#pragma once

#include <chrono>
#include <functional>

namespace millrace {

class Executor {
 public:
  virtual ~Executor() = default;
  // Runs `task` once, later, on the executor's thread, in the order of posting. Threads: any.
  virtual void post(std::function<void()> task) = 0;
  // Likewise, `delay` from now at the earliest.
  virtual void post_after(std::chrono::milliseconds delay, std::function<void()> task) = 0;
  // True on the executor's own thread.
  virtual bool is_current() const = 0;
};

}  // namespace millrace
