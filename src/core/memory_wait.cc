#include "core/memory_wait.h"

#include <fmt/format.h>

#include "base/log.h"

namespace millrace {
namespace {

// Who wants memory asks more often.
constexpr auto kAsksWithin = std::chrono::seconds(1);

auto whole_seconds(SteadyTime::duration time) {
  return std::chrono::floor<std::chrono::seconds>(time).count();
}

}  // namespace

void MemoryWait::refused(std::size_t bytes) {
  const SteadyTime now = clock_.steady();
  const std::lock_guard lock(mutex_);
  if (!since_ || now - last_ > kAsksWithin) {
    since_ = now;
  }
  last_ = now;
  wanted_ = bytes;
  if (!is_told_ && now - *since_ >= kLong) {
    is_told_ = true;
    log_warning(component_, "{}; it reads on when there is some", text());
  }
}

void MemoryWait::granted() {
  const std::lock_guard lock(mutex_);
  if (is_told_) {
    is_told_ = false;
    log_info(component_, "goes on: it waited {} s for memory", whole_seconds(last_ - *since_));
  }
  since_.reset();
}

Result<> MemoryWait::health() const {
  const SteadyTime now = clock_.steady();
  const std::lock_guard lock(mutex_);
  const bool waits = since_ && now - last_ <= kAsksWithin && now - *since_ >= kLong;
  return waits ? transient(text()) : Result<>();
}

std::string MemoryWait::text() const {
  return fmt::format(
      "waits for memory for {} s: it wants {} bytes, and {} of the {} for events in flight are "
      "taken (-Xmx sets how many)",
      whole_seconds(last_ - *since_), wanted_, budget_.used(), budget_.limit());
}

}  // namespace millrace
