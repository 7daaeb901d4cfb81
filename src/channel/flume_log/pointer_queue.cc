#include "channel/flume_log/pointer_queue.h"

#include <algorithm>

namespace millrace::flume_log {

void PointerQueue::append(const std::vector<Pointer>& puts) {
  events_.insert(events_.end(), puts.begin(), puts.end());
}

void PointerQueue::remove(const std::vector<Pointer>& takes) {
  takes_.insert(takes_.end(), takes.begin(), takes.end());
  if (takes_.size() >= settle_at_) {
    settle();
    settle_at_ = std::max(settle_at_, 2 * takes_.size());
  }
}

void PointerQueue::settle() {
  std::sort(takes_.begin(), takes_.end());
  takes_.erase(std::unique(takes_.begin(), takes_.end()), takes_.end());
  std::vector<bool> seen(takes_.size());
  const auto is_taken = [&](const Pointer& event) {
    const auto take = std::lower_bound(takes_.begin(), takes_.end(), event);
    if (take == takes_.end() || *take != event) {
      return false;
    }
    seen[static_cast<std::size_t>(take - takes_.begin())] = true;
    return true;
  };
  taken_ += std::erase_if(events_, is_taken);
  std::size_t i = 0;
  std::erase_if(takes_, [&](const Pointer&) { return seen[i++]; });
}

}  // namespace millrace::flume_log
