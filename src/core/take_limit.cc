#include "core/take_limit.h"

#include <algorithm>

namespace millrace {

std::size_t TakeLimit::events_of(const EventBatch& batch, std::size_t from, std::size_t to) const {
  const std::size_t most = std::min(to - from, std::max<std::size_t>(events, 1));
  if (batch.bytes() <= bytes) {
    return most;
  }
  std::size_t sum = 0;
  for (std::size_t i = 0; i < most; ++i) {
    const EventRef& event = batch[from + i];
    sum += event.body_size + event.headers_size;
    if (sum >= bytes) {
      return i + 1;
    }
  }
  return most;
}

}  // namespace millrace
