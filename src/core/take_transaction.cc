#include "core/take_transaction.h"

#include <utility>

namespace millrace {

TakeTransaction::~TakeTransaction() {
  if (!leases_.empty()) {
    channel_.roll_back(leases_);
  }
}

const EventBatch* TakeTransaction::take(const TakeLimit& limit, SteadyTime deadline,
                                        std::stop_token stop) {
  std::optional<Lease> lease = channel_.take(limit, deadline, std::move(stop));
  if (!lease) {
    return nullptr;
  }
  events_ += lease->batch->size();
  bytes_ += lease->batch->bytes();
  leases_.push_back(std::move(*lease));
  return leases_.back().batch.get();
}

void TakeTransaction::commit(std::span<const HeldEvent> held, SteadyTime held_until) {
  channel_.commit(leases_, held, held_until);
  leases_.clear();
}

Result<> TakeTransaction::commit_with_intent(std::span<const HeldEvent> held, SteadyTime held_until,
                                             const SinkIntent& intent, std::stop_token stop) {
  Result<> committed =
      channel_.commit_with_intent(leases_, held, held_until, intent, std::move(stop));
  leases_.clear();
  return committed;
}

}  // namespace millrace
