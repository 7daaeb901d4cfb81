// What a connection sent and its peer has not answered yet, in order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>

namespace millrace {

// Numbers [first, first + count), all sent for the `copy`-th time again.
struct NumberRange {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  unsigned copy = 0;

  friend bool operator==(const NumberRange&, const NumberRange&) = default;
};

// Threads: its sender's alone.
class AckWindow {
 public:
  std::uint64_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  void sent(const NumberRange& range) {
    if (!ranges_.empty() && continues(ranges_.back(), range)) {
      ranges_.back().count += range.count;
    } else {
      ranges_.push_back(range);
    }
    size_ += range.count;
  }

  // The oldest `count` were answered; fewer when fewer are open. Gives how many it were.
  std::uint64_t answered(std::uint64_t count) {
    const std::uint64_t taken = std::min(count, size_);
    for (std::uint64_t left = taken; left > 0;) {
      left -= take_front(left).count;
    }
    return taken;
  }

  // The oldest one, or up to `most` of its range; count 0 when nothing is open.
  NumberRange take_front(std::uint64_t most = 1) {
    if (ranges_.empty()) {
      return {};
    }
    NumberRange& front = ranges_.front();
    const NumberRange taken{front.first, std::min(most, front.count), front.copy};
    front.first += taken.count;
    front.count -= taken.count;
    size_ -= taken.count;
    if (front.count == 0) {
      ranges_.pop_front();
    }
    return taken;
  }

  // All that is open, oldest first; the window is empty afterwards.
  std::deque<NumberRange> take_all() {
    size_ = 0;
    return std::exchange(ranges_, {});
  }
  const std::deque<NumberRange>& ranges() const { return ranges_; }

 private:
  static bool continues(const NumberRange& back, const NumberRange& next) {
    return back.copy == next.copy && back.first + back.count == next.first;
  }

  std::deque<NumberRange> ranges_;
  std::uint64_t size_ = 0;
};

}  // namespace millrace
