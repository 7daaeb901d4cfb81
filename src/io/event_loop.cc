#include "io/event_loop.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <future>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/check.h"

namespace millrace {
namespace {

using std::chrono::microseconds;
using std::chrono::steady_clock;

// Handlers of one turn: a flood of posted tasks does not put off the hooks for ever.
constexpr int kMostHandlers = 4096;
// Turns that follow a quiet time shorter than this belong to a busy flow.
constexpr microseconds kBusyGap{1000};

// What the sources have read in the turn that runs, and when.
class TurnReads {
 public:
  void count(std::size_t bytes, microseconds max_pause) {
    if (!any_) {
      any_ = true;
      first_ = steady_clock::now();
      max_pause_ = max_pause;
    }
    bytes_ += bytes;
    max_pause_ = std::min(max_pause_, max_pause);
  }

  // Ends the turn; sleeps where the pause is due.
  void finish() {
    if (!any_) {
      return;
    }
    const bool busy = first_ - last_end_ < kBusyGap;
    if (busy && bytes_ < EventLoop::kSmallTurn && max_pause_ > microseconds::zero()) {
      std::this_thread::sleep_until(first_ + max_pause_);
    }
    last_end_ = steady_clock::now();
    any_ = false;
    bytes_ = 0;
  }

 private:
  bool any_ = false;
  std::size_t bytes_ = 0;
  microseconds max_pause_{};
  steady_clock::time_point first_;
  steady_clock::time_point last_end_;
};

}  // namespace

struct EventLoop::State {
  struct Hook {
    HookId id;
    std::function<void()> run;  // Empty once removed.
  };

  void run();
  void run_turn();
  void run_hooks();

  boost::asio::io_context context{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work{
      context.get_executor()};
  std::vector<Hook> hooks;
  HookId next_hook = 1;
  bool hook_removed = false;
  TurnReads reads;
  bool stopping = false;  // Set by a task on the loop's thread.

  std::mutex mutex;    // Guards ended against run_and_wait().
  bool ended = false;  // The thread runs nothing any more.
  std::mutex callers;  // One at a time runs a task of its own once the thread has ended.
  std::atomic<std::thread::id> thread_id{};
  std::jthread thread;
};

void EventLoop::State::run() {
  while (!stopping) {
    context.run_one();
    run_turn();
  }
  run_turn();
  {
    const std::lock_guard lock(mutex);
    ended = true;
  }
  run_turn();  // What came in between.
}

void EventLoop::State::run_turn() {
  for (int i = 0; i < kMostHandlers && context.poll_one() > 0; ++i) {
  }
  run_hooks();
  reads.finish();
}

void EventLoop::State::run_hooks() {
  // NOLINTNEXTLINE(modernize-loop-convert): a hook may add others.
  for (std::size_t i = 0; i < hooks.size(); ++i) {
    if (hooks[i].run) {
      const auto hook = hooks[i].run;  // A copy: it may remove itself.
      hook();
    }
  }
  if (std::exchange(hook_removed, false)) {
    std::erase_if(hooks, [](const Hook& hook) { return !hook.run; });
  }
}

EventLoop::EventLoop(std::string name) : state_(std::make_unique<State>()) {
  std::promise<void> started;
  state_->thread = std::jthread([this, &started, name = std::move(name)] {
    pthread_setname_np(pthread_self(), name.substr(0, 15).c_str());
    state_->thread_id = std::this_thread::get_id();
    started.set_value();
    state_->run();
    state_->thread_id = std::thread::id{};
  });
  started.get_future().wait();
}

EventLoop::~EventLoop() {
  stop();
}

void EventLoop::post(std::function<void()> task) {
  boost::asio::post(state_->context, std::move(task));
}

void EventLoop::post_after(std::chrono::milliseconds delay, std::function<void()> task) {
  auto timer = std::make_shared<boost::asio::steady_timer>(state_->context, delay);
  auto& handle = *timer;
  handle.async_wait(
      [timer = std::move(timer), task = std::move(task)](const boost::system::error_code& error) {
        if (!error) {
          task();
        }
      });
}

bool EventLoop::is_current() const {
  return state_->thread_id.load(std::memory_order_relaxed) == std::this_thread::get_id();
}

void EventLoop::run_and_wait(const std::function<void()>& task) {
  if (is_current()) {
    task();
    return;
  }
  if (!post_and_wait(task)) {
    const std::lock_guard lock(state_->callers);
    task();
  }
}

// False when the thread has ended; the task was not run then.
bool EventLoop::post_and_wait(const std::function<void()>& task) {
  const auto done = std::make_shared<std::promise<void>>();
  {
    const std::lock_guard lock(state_->mutex);
    if (state_->ended) {
      return false;
    }
    post([&task, done] {
      task();
      done->set_value();
    });
  }
  done->get_future().wait();
  return true;
}

void EventLoop::stop() {
  CHECK(!is_current());
  if (state_->thread.joinable()) {
    post([this] { state_->stopping = true; });
    state_->thread.join();
  }
}

EventLoop::HookId EventLoop::add_turn_hook(std::function<void()> hook) {
  state_->hooks.push_back({state_->next_hook, std::move(hook)});
  return state_->next_hook++;
}

void EventLoop::remove_turn_hook(HookId id) {
  for (State::Hook& hook : state_->hooks) {
    if (hook.id == id) {
      hook.run = nullptr;
      state_->hook_removed = true;
    }
  }
}

void EventLoop::count_read(std::size_t bytes, std::chrono::microseconds max_pause) {
  state_->reads.count(bytes, max_pause);
}

boost::asio::io_context& EventLoop::context() {
  return state_->context;
}

}  // namespace millrace
