#include "core/thread_source.h"

#include <pthread.h>

namespace millrace {
namespace {

constexpr auto kLongTime = std::chrono::hours(1);

}  // namespace

Result<> ThreadSource::start() {
  TRY(open());
  thread_ = std::jthread([this](std::stop_token stop) { run(std::move(stop)); });
  // The kernel takes 15 characters.
  pthread_setname_np(thread_.native_handle(), context_.name.substr(0, 15).c_str());
  return {};
}

void ThreadSource::stop(SteadyTime deadline) {
  if (!thread_.joinable()) {
    return;
  }
  deadline_ = deadline;
  thread_.request_stop();
  thread_.join();
}

void ThreadSource::run(std::stop_token stop) {
  tasks_.adopt();
  context_.channels.attach(tasks_, WhenRefused::kWait);
  while (!stop.stop_requested()) {
    const std::chrono::milliseconds pause = turn(stop);
    if (pause.count() > 0) {
      wait(pause, stop);
    } else {
      tasks_.run_due();
    }
  }
  drain(deadline_);
  close();
  // Batches that still wait for room or for a commit are answered, or given up at the deadline.
  tasks_.run_until([this] { return context_.channels.unanswered() == 0; }, deadline_, {});
  context_.channels.give_up();
}

void ThreadSource::put(EventBatch::Builder& builder, std::stop_token stop, PutDone done) {
  context_.channels.put(builder, std::move(done));
  wait_until_ready(std::move(stop));
}

bool ThreadSource::wait_until_ready(std::stop_token stop) {
  return tasks_.run_until([this] { return context_.channels.ready(); },
                          std::chrono::steady_clock::now() + kLongTime, std::move(stop));
}

void ThreadSource::wait(std::chrono::milliseconds time, std::stop_token stop) {
  tasks_.run_until([] { return false; }, std::chrono::steady_clock::now() + time, std::move(stop));
}

}  // namespace millrace
