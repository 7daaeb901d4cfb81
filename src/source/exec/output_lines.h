// The lines of a command's output, made events where the read has put them.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/metrics.h"
#include "core/event_batch.h"

namespace millrace {

// "\n", "\r" and "\r\n" end a line; where lines end does not depend on how reads cut the output.
// Bodies lie in the slab that was read into; only the torn tail of a read is copied.
// Threads: the builder's. Builder, space and counter outlive it.
class OutputLines {
 public:
  // A longer line is cut there, and counted as incomplete.
  static constexpr std::size_t kLongestLine = std::size_t{16} << 20;  // Bytes.

  // `batch_size`: most events of a put.
  OutputLines(BatchSpace& space, EventBatch::Builder& builder, std::size_t batch_size,
              Counter& incomplete_events)
      : space_(space),
        builder_(builder),
        batch_size_(batch_size),
        incomplete_events_(incomplete_events) {}

  // Where the next bytes go; empty when the budget of events in flight is spent.
  std::span<char> room();
  // `count` bytes, at least one, were read into the room asked for last. `put` runs whenever the
  // builder holds a full batch, and takes it; events that are less stay in the builder.
  void take(std::size_t count, const std::function<void()>& put);
  // Nothing follows: the last line, which has no end, goes into the builder.
  void end();

 private:
  BatchSpace& space_;
  EventBatch::Builder& builder_;
  const std::size_t batch_size_;
  Counter& incomplete_events_;
  std::span<char> room_{};     // Begins with place for the tail.
  std::string tail_;           // Of a line that has no end yet.
  bool skip_newline_ = false;  // The line before ended in '\r': a '\n' belongs to it.
};

}  // namespace millrace
