#include "cli/hammer/flow.h"

#include <algorithm>

namespace millrace {
namespace {

constexpr std::uint64_t kMostAgain = 64;  // Lines sent again that are made at a time.

}  // namespace

Flow::Flow(const Plan& plan)
    : hammer_(plan.shape.hammer),
      first_(plan.first),
      next_(plan.first),
      end_(plan.end),
      block_(plan.shape, plan.block_bytes),
      pacer_(plan.per_second) {}

std::optional<Flow::Lines> Flow::next(std::size_t most) {
  if (!again_.empty()) {
    NumberRange range = again_.front();
    range.count = std::min({range.count, kMostAgain, static_cast<std::uint64_t>(most)});
    again_lines_.clear();
    for (std::uint64_t i = 0; i < range.count; ++i) {
      again_lines_ += block_.line_again(range.first + i, range.copy);
    }
    return Lines{again_lines_, range};
  }
  if (next_ == end_) {
    return std::nullopt;
  }
  const std::uint64_t left = std::min<std::uint64_t>(most, end_ - next_);
  const std::string_view bytes = block_.lines(next_, static_cast<std::size_t>(left));
  return Lines{bytes, {next_, bytes.size() / block_.line_bytes(), 0}};
}

void Flow::took(const NumberRange& numbers) {
  counts_.handed.fetch_add(numbers.count, std::memory_order_relaxed);
  if (numbers.copy == 0) {
    next_ += numbers.count;
    return;
  }
  counts_.again.fetch_add(numbers.count, std::memory_order_relaxed);
  NumberRange& front = again_.front();
  front.first += numbers.count;
  front.count -= numbers.count;
  if (front.count == 0) {
    again_.pop_front();
  }
}

void Flow::send_again(const NumberRange& numbers) {
  again_.push_back({numbers.first, numbers.count, std::min(numbers.copy + 1, kMostCopies)});
}

}  // namespace millrace
