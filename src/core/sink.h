// The contract of a sink: hand over, then make durable. It never touches the channel.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/result.h"
#include "core/event_batch.h"

namespace millrace {

// Events of the batch being delivered that cannot be delivered as they are.
class Rejects {
 public:
  struct Reject {
    std::uint32_t lease;
    std::uint32_t event;
    std::string reason;
  };
  // `event` is an index into the batch given to deliver(): each at most once, in their order. The
  // rest of the batch goes on. `reason` is for people, and the same for events of the same fault.
  void add(std::size_t event, std::string reason) {
    DCHECK(rejects_.empty() || rejects_.back().lease < lease_ || rejects_.back().event < event);
    rejects_.push_back({lease_, static_cast<std::uint32_t>(event), std::move(reason)});
  }

  // For the runner: which lease's batch is delivered next, and what came together.
  void start_lease(std::size_t lease) { lease_ = static_cast<std::uint32_t>(lease); }
  const std::vector<Reject>& all() const { return rejects_; }

 private:
  std::uint32_t lease_ = 0;
  std::vector<Reject> rejects_;
};

// What a sink that delivers exactly once has in place of flush(). It writes under names that no
// reader looks for; the channel's commit carries its intent, which says what becomes visible.
// After an error of deliver() or prepare() it forgets by itself what was delivered since the last
// prepare() that succeeded: that comes again. Threads: its sink's.
class ExactlyOnce {
 public:
  virtual ~ExactlyOnce() = default;

  // Called once after Sink::start(), before anything is delivered: finishes what an earlier life
  // had committed, and takes back what it had not. `intent`: the last one committed; empty: none.
  virtual Result<> recover(std::string_view intent) = 0;
  // All that was delivered is on stable storage and not visible yet. The intent names all that
  // publish() has to do for it, and what an earlier intent named and is not published. `last`:
  // nothing is delivered any more, what is open is ended.
  virtual Result<std::string> prepare(bool last) = 0;
  // The intent of the last prepare() is committed. May be repeated; after an error it is, before
  // anything else.
  virtual Result<> publish() = 0;
  // A commit without events is wanted: by the clock something is to be ended, or the last intent
  // names what is published by now.
  virtual bool is_due() const = 0;
};

// Threads: made on the control thread, then used by its runner's thread alone.
class Sink {
 public:
  virtual ~Sink() = default;

  // Called before the first deliver(), and again after an error until it succeeds.
  virtual Result<> start() { return {}; }
  // Hands the batch over. After an error the whole transaction is rolled back and comes again.
  virtual Result<> deliver(const EventBatch& batch, Rejects& rejects) = 0;
  // Returns when all that was delivered is durable at the destination, as far as this sink
  // promises.
  virtual Result<> flush() = 0;
  // Null for a sink that delivers at least once.
  virtual ExactlyOnce* exactly_once() { return nullptr; }
  // Called about every `kIdleTick` while nothing waits, and before each transaction: work by the
  // clock.
  virtual Result<> idle() { return {}; }
  // Nothing comes any more; everything delivered was flushed. Closes what is open.
  virtual void stop() {}

  virtual std::size_t batch_size() const = 0;  // Most events in one deliver().
  // flush() waits for a device or a peer: many batches share one.
  virtual bool flush_is_costly() const { return false; }
};

}  // namespace millrace
