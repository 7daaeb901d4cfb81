// The thread that serves the network sources: waits for sockets, timers and posted tasks, and runs
// what is ready in turns.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "base/executor.h"

namespace boost::asio {
class io_context;
}

namespace millrace {

// One thread over one Boost.Asio context. It runs turns: block until something is ready, run all
// that is ready (each connection is read once at most), then the turn hooks, in which sources seal
// and put what the turn has read.
//
// Pause: after a turn that read less than kSmallTurn, while turns follow each other faster than one
// a millisecond, the loop sleeps before the next turn, so that a steady trickle of small reads
// costs less. The first event after a quiet time is never delayed.
//
// Threads: post(), post_after(), is_current(), run_and_wait() and stop() on any; the rest on the
// loop's own.
class EventLoop final : public Executor {
 public:
  static constexpr std::size_t kSmallTurn = 64 * 1024;             // Bytes.
  static constexpr std::chrono::microseconds kDefaultPause{1000};  // At most this long.

  // Starts the thread; `name` is cut to the 15 bytes that the kernel keeps.
  explicit EventLoop(std::string name);
  ~EventLoop() override;
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  void post(std::function<void()> task) override;
  void post_after(std::chrono::milliseconds delay, std::function<void()> task) override;
  bool is_current() const override;

  // Runs `task` on the loop's thread and returns when it is done; at once when called there. After
  // stop() it runs on the caller's thread, which is then the only one.
  void run_and_wait(const std::function<void()>& task);

  // Runs what was posted so far, then ends the thread. Later posts are dropped. Idempotent.
  void stop();

  // `hook` runs at the end of every turn, in the order of adding, until it is removed. A hook may
  // be added or removed in a hook.
  using HookId = std::size_t;
  HookId add_turn_hook(std::function<void()> hook);
  void remove_turn_hook(HookId id);

  // A source has read `bytes` in this turn and allows a pause of `max_pause` behind it (0: none).
  // Of several sources in a turn the smallest pause counts.
  void count_read(std::size_t bytes, std::chrono::microseconds max_pause = kDefaultPause);

  // For code in .cc files that waits for descriptors of its own.
  boost::asio::io_context& context();

 private:
  struct State;
  bool post_and_wait(const std::function<void()>& task);
  std::unique_ptr<State> state_;
};

}  // namespace millrace
