// The source's side of its channels: interceptors, selector, puts, back-pressure, answers.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/executor.h"
#include "base/metrics.h"
#include "core/channel.h"
#include "core/interceptor.h"
#include "core/selector.h"

namespace millrace {

// What happens to a batch that a required channel does not take.
enum class WhenRefused {
  kWait,    // It waits, and is tried again after a failure: nobody upstream could be told.
  kAnswer,  // After the channel's keep-alive, or a failure, `done` gets the error for the client.
};

// Belongs to one source. Threads: the executor's alone, once attached; `done` and when_ready()
// callbacks run there too. Outlives the answers of its channels.
class ChannelProcessor {
 public:
  struct Services {
    Clock& clock;
    MetricGroup& metrics;
    SlabPool& slabs;
  };
  ChannelProcessor(std::string source, std::vector<std::shared_ptr<Channel>> channels,
                   std::unique_ptr<Selector> selector,
                   std::vector<std::unique_ptr<Interceptor>> interceptors, Services services);
  ~ChannelProcessor();

  // Called by the source at start, before the first put.
  void attach(Executor& executor, WhenRefused when_refused);

  // Takes what the builder holds through interceptors and selector to the channels, cut to each
  // one's transaction capacity; the builder is empty afterwards. `done` (may be empty) runs once,
  // when every required channel has committed, or with the first error.
  void put(EventBatch::Builder& builder, PutDone done = {});

  // False while a required channel is full or 8 MiB await their commit: the source stops reading.
  bool ready() const;
  // Runs `wake` once, as soon as ready() is true.
  void when_ready(std::function<void()> wake);

  // Batches given to put() whose `done` is still to come.
  std::size_t unanswered() const;
  // Stop: what no channel has accepted is given up with kClosed, and counted.
  void give_up();

 private:
  class State;
  std::shared_ptr<State> state_;
};

}  // namespace millrace
