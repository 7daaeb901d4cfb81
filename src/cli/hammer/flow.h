// One numbered sender: its numbers, what is to be sent again, its pace and its counts.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "cli/hammer/ack_window.h"
#include "cli/hammer/line_block.h"
#include "cli/hammer/pacer.h"

namespace millrace {

// Figures of a flow. Written by its sender's thread, read by any.
struct FlowCounts {
  std::atomic<std::uint64_t> handed{0};        // Lines given to sockets, those sent again included.
  std::atomic<std::uint64_t> acknowledged{0};  // Answered OK.
  std::atomic<std::uint64_t> again{0};         // Lines sent again.
  std::atomic<std::uint64_t> refused{0};       // Answered FAILED.
  std::atomic<std::uint64_t> broken{0};        // Connections lost after they were up.
};

// A number is first handed out by next() and took(), and comes back by send_again() when its
// connection learns that it may not have arrived. Threads: its sender's alone, but counts().
class Flow {
 public:
  struct Plan {
    LineShape shape;
    std::uint64_t first = 0;
    std::uint64_t end = kNumberLimit;  // One past the last.
    double per_second = 0;             // 0: as fast as it goes.
    std::size_t block_bytes = 256 * 1024;
  };
  struct Lines {
    std::string_view bytes;  // Until the next call.
    NumberRange numbers;
  };

  explicit Flow(const Plan& plan);

  // Up to `most` lines; those that are to be sent again come first. Nothing when none is left.
  std::optional<Lines> next(std::size_t most);
  // The first of what next() gave were handed to a socket.
  void took(const NumberRange& numbers);
  // They may have been lost on the way: they go out once more, marked as one copy later.
  void send_again(const NumberRange& numbers);
  // No new numbers from now on.
  void stop() { end_ = next_; }
  // Nothing is left to hand out.
  bool exhausted() const { return next_ == end_ && again_.empty(); }

  // Puts the second of `now` into the lines' syslog header.
  void set_prefix(std::string_view prefix) { block_.set_prefix(prefix); }

  std::uint32_t hammer() const { return hammer_; }
  std::uint64_t first() const { return first_; }
  std::uint64_t next_number() const { return next_; }
  std::uint64_t planned() const { return end_ - first_; }
  std::size_t line_bytes() const { return block_.line_bytes(); }
  const std::deque<NumberRange>& waiting_again() const { return again_; }
  Pacer& pacer() { return pacer_; }
  FlowCounts& counts() { return counts_; }
  const FlowCounts& counts() const { return counts_; }

 private:
  const std::uint32_t hammer_;
  const std::uint64_t first_;
  std::uint64_t next_;
  std::uint64_t end_;
  std::deque<NumberRange> again_;  // `copy` as it will be sent.
  std::string again_lines_;
  LineBlock block_;
  Pacer pacer_;
  FlowCounts counts_;
};

}  // namespace millrace
