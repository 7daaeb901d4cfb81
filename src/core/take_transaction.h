// A transaction on the sink's side of a channel. Rolls back in its destructor unless committed.
#pragma once

#include <stop_token>
#include <vector>

#include "core/channel.h"

namespace millrace {

// Threads: its runner's alone.
class TakeTransaction {
 public:
  explicit TakeTransaction(Channel& channel) : channel_(channel) {}
  ~TakeTransaction();
  TakeTransaction(const TakeTransaction&) = delete;
  TakeTransaction& operator=(const TakeTransaction&) = delete;

  // The next batch, or null when none waits by `deadline`. Lives as long as the transaction.
  const EventBatch* take(const TakeLimit& limit, SteadyTime deadline, std::stop_token stop);

  bool empty() const { return leases_.empty(); }
  std::size_t batches() const { return leases_.size(); }
  // As it was taken, counted from 0.
  const EventBatch& batch(std::size_t lease) const { return *leases_[lease].batch; }
  std::size_t events() const { return events_; }
  std::size_t bytes() const { return bytes_; }

  // The channel forgets what was taken, but for the held events.
  void commit(std::span<const HeldEvent> held, SteadyTime held_until);
  // Likewise, as Channel::commit_with_intent(). Whatever comes out, there is nothing to roll back.
  Result<> commit_with_intent(std::span<const HeldEvent> held, SteadyTime held_until,
                              const SinkIntent& intent, std::stop_token stop);

 private:
  Channel& channel_;
  std::vector<Lease> leases_;
  std::size_t events_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace millrace
