// How long a source has waited for memory for its events.
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string>

#include "base/byte_budget.h"
#include "base/clock.h"
#include "base/result.h"

namespace millrace {

// A source that gets no slab stops reading and asks again every few milliseconds. Mostly that is
// back-pressure at work, and no news. From kLong on it is: once in the log, and in health() until a
// slab is there or nobody asks any more.
// Threads: refused() and granted() on the source's own, health() on any. Clock and budget outlive
// it.
class MemoryWait {
 public:
  static constexpr auto kLong = std::chrono::seconds(5);

  // `component` is for the log.
  MemoryWait(std::string component, const Clock& clock, const ByteBudget& budget)
      : component_(std::move(component)), clock_(clock), budget_(budget) {}

  // The answer to whoever asks for a slab of so many bytes.
  void refused(std::size_t bytes);
  void granted();

  Result<> health() const;

 private:
  std::string text() const;

  const std::string component_;
  const Clock& clock_;
  const ByteBudget& budget_;
  mutable std::mutex mutex_;         // Guards what follows.
  std::optional<SteadyTime> since_;  // Nothing: the last one who asked got a slab.
  SteadyTime last_{};                // When it was refused last.
  std::size_t wanted_ = 0;           // Bytes.
  bool is_told_ = false;
};

}  // namespace millrace
