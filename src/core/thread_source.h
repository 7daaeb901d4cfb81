// The frame of a source that has a thread of its own: open, turn after turn, close. The counterpart
// of Flume's PollableSource and its runner (Flume 1.11, PollableSourceRunner).
#pragma once

#include <chrono>
#include <stop_token>
#include <string>
#include <thread>

#include "core/channel_processor.h"
#include "core/component.h"
#include "core/source.h"
#include "core/task_queue.h"

namespace millrace {

// Threads: start() and stop() on the control thread, everything protected on the source's own.
class ThreadSource : public Source {
 public:
  ~ThreadSource() override = default;  // stop() was called.

  Result<> start() final;
  void stop(SteadyTime deadline) final;

 protected:
  explicit ThreadSource(SourceContext context)
      : context_(std::move(context)), space_(context_.services.slabs, &context_.memory) {}

  // On the control thread, before the thread is there.
  virtual Result<> open() { return {}; }
  // Collects what is there, puts it through put(), and says how long to wait before the next turn:
  // 0 when more is at hand. Must come back within about 100 ms, or as soon as `stop` is requested.
  virtual std::chrono::milliseconds turn(std::stop_token stop) = 0;
  // On the source's thread after a stop was requested: takes in what is left, until `deadline`.
  virtual void drain(SteadyTime deadline) { static_cast<void>(deadline); }
  // On the source's thread, last.
  virtual void close() {}

  // Hands the builder on, then waits until the channels are ready() for more.
  void put(EventBatch::Builder& builder, std::stop_token stop, PutDone done = {});
  // Runs the answers that have come; waits up to `time`.
  void wait(std::chrono::milliseconds time, std::stop_token stop);
  bool wait_until_ready(std::stop_token stop);

  SourceContext context_;
  BatchSpace space_;
  TaskQueue tasks_;

 private:
  void run(std::stop_token stop);
  SteadyTime deadline_{};  // Written before the stop request, read after it.
  std::jthread thread_;
};

}  // namespace millrace
