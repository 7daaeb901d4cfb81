// The contract between the two sides of a channel: it holds batches, by transaction.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "core/event_batch.h"
#include "core/take_limit.h"

namespace millrace {

// Outcome of a put: ok once the channel has committed the batch.
using PutDone = std::function<void(Result<>)>;

enum class PutStatus {
  kAccepted,  // `done` will run exactly once.
  kFull,      // Nothing happened; `done` was left alone. Wait for when_room().
  kClosed,    // The channel is stopped, or its storage failed: see health().
};

// A batch that a sink runner holds until it commits or rolls back.
struct Lease {
  BatchPtr batch;            // What was put, or a slice of it; never empty.
  std::uint64_t ticket = 0;  // The channel's own name for it.
};

// An event of a lease that was not delivered and is to stay in the channel.
struct HeldEvent {
  std::uint32_t lease;  // Index into the leases of the commit.
  std::uint32_t event;  // Index into that lease's batch.
};

// What a sink that delivers exactly once has to know to finish what it has committed.
struct SinkIntent {
  std::string_view sink;   // Its name.
  std::string_view bytes;  // The sink's own, up to 64 MiB; empty: there is nothing to finish.
};

// Conservation: put = acknowledged + dropped + held + in_channel, at any instant at which it is
// read.
struct ChannelCounts {
  std::uint64_t put = 0;  // Committed into the channel, since it was made (durable) or started.
  std::uint64_t acknowledged = 0;  // Committed out of it.
  std::uint64_t dropped = 0;       // Removed undelivered, by on-rejected = drop or as damaged.
  std::uint64_t held = 0;          // Refused by the sink and kept; part of size.
  std::uint64_t in_channel = 0;    // Waiting or leased, held ones not included.
};

// Threads: put() and when_room() on any source thread, take(), commit() and roll_back() on any sink
// runner, the rest on any thread. Callbacks run without a lock of the channel held.
class Channel {
 public:
  virtual ~Channel() = default;

  // Opens the storage. kTransient is tried again by the supervisor, kConfig is not.
  virtual Result<> start() = 0;
  // Refuses puts from now on, makes durable what was accepted, closes the storage. Idempotent.
  virtual void stop() = 0;

  // Offers a batch of 1..transaction_capacity() events. Returns at once. `done` is moved from only
  // when accepted; it may run before put() returns, or later on a thread of the channel's.
  virtual PutStatus put(const BatchPtr& batch, PutDone& done) = 0;
  // Runs `wake` once, on any thread: when there may be room for what was refused, or at stop(). It
  // may run before this returns.
  virtual void when_room(std::function<void()> wake) = 0;

  // The next events in order: at once when some wait, else when some come, else nothing at the
  // deadline, at a stop request or when the channel is stopped.
  virtual std::optional<Lease> take(const TakeLimit& limit, SteadyTime deadline,
                                    std::stop_token stop) = 0;
  // Forgets the leases' events but the held ones, which are offered again after `held_until`.
  virtual void commit(std::span<const Lease> leases, std::span<const HeldEvent> held,
                      SteadyTime held_until) = 0;
  // commit(), and in the same step the intent takes the place of the sink's last one: after a kill
  // or a power loss both are there, or neither. Returns when they are on stable storage. kClosed
  // when a stop comes before: intent_of() tells after the next start. The leases are gone either
  // way. For channels that keep intents.
  virtual Result<> commit_with_intent(std::span<const Lease> leases,
                                      std::span<const HeldEvent> held, SteadyTime held_until,
                                      const SinkIntent& intent, std::stop_token stop);
  // The bytes of the last one that is committed; empty when there is none.
  virtual std::string intent_of(std::string_view sink) const;
  // Puts the leases' events back at the head, in their order.
  virtual void roll_back(std::span<const Lease> leases) = 0;
  // Events of a commit that were dropped rather than delivered, for the counts.
  virtual void count_dropped(std::size_t events) = 0;

  virtual std::size_t transaction_capacity() const = 0;  // Events.
  virtual std::size_t capacity() const = 0;              // Events.
  virtual ChannelCounts counts() const = 0;
  // How long a source that must answer its client waits for room (keep-alive).
  virtual std::chrono::milliseconds keep_alive() const = 0;
  virtual bool keeps_intents() const { return false; }
  // Committed events survive an orderly stop, and a power loss as promise() says.
  virtual bool durable() const = 0;
  virtual std::string promise() const = 0;  // What "committed" means, a line for `check`.
  virtual Result<> health() const = 0;      // What is wrong with it, for /health.
};

}  // namespace millrace
