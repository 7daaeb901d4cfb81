#include "cli/verify/number_set.h"

#include <algorithm>

namespace millrace {
namespace {

constexpr std::uint64_t kNumbers = NumberBlock::kNumbers;

}  // namespace

bool NumberSet::insert_elsewhere(std::uint64_t number) {
  settle();
  const std::uint64_t base = number / kNumbers * kNumbers;
  const NumberBlock& block = blocks_[number / kNumbers];
  const NumberBlock::Stretch stretch = block.stretch(static_cast<std::uint32_t>(number - base));
  first_ = number;
  next_ = number + 1;
  limit_ = base + stretch.to;
  seen_ = stretch.seen;
  return !seen_;
}

// Brings what was inserted in order into its block.
void NumberSet::settle() const {
  if (!seen_ && first_ < next_) {
    const std::uint64_t base = first_ / kNumbers * kNumbers;
    blocks_[first_ / kNumbers].mark(static_cast<std::uint32_t>(first_ - base),
                                    static_cast<std::uint32_t>(next_ - base));
    size_ += next_ - first_;
  }
  first_ = next_;
}

std::uint64_t NumberSet::size() const {
  settle();
  return size_;
}

std::uint64_t NumberSet::count_in(std::uint64_t from, std::uint64_t to) const {
  settle();
  std::uint64_t count = 0;
  for (auto at = blocks_.lower_bound(from / kNumbers); at != blocks_.end(); ++at) {
    const std::uint64_t base = at->first * kNumbers;
    if (base >= to) {
      break;
    }
    count += at->second.count_in(static_cast<std::uint32_t>(std::max(from, base) - base),
                                 static_cast<std::uint32_t>(std::min(to - base, kNumbers)));
  }
  return count;
}

std::uint64_t NumberSet::lowest() const {
  std::uint64_t lowest = 0;
  for_each_run([&](std::uint64_t from, std::uint64_t) {
    lowest = from;
    return false;
  });
  return lowest;
}

std::uint64_t NumberSet::highest() const {
  settle();
  for (auto at = blocks_.rbegin(); at != blocks_.rend(); ++at) {
    std::uint64_t highest = 0;
    for (std::uint32_t from = 0; from < kNumbers;) {
      const NumberBlock::Stretch stretch = at->second.stretch(from);
      highest = stretch.seen ? stretch.to : highest;
      from = stretch.to;
    }
    if (highest > 0) {
      return at->first * kNumbers + highest - 1;
    }
  }
  return 0;
}

void NumberSet::for_each_run(const OnRun& on_run) const {
  settle();
  std::uint64_t from = 0;  // The run that is open, [from, to).
  std::uint64_t to = 0;
  for (const auto& [index, block] : blocks_) {
    for (std::uint32_t at = 0; at < kNumbers;) {
      const NumberBlock::Stretch stretch = block.stretch(at);
      const std::uint64_t begin = index * kNumbers + at;
      at = stretch.to;
      if (!stretch.seen) {
        continue;
      }
      if (begin != to) {
        if (from != to && !on_run(from, to)) {
          return;
        }
        from = begin;
      }
      to = index * kNumbers + stretch.to;
    }
  }
  if (from != to) {
    on_run(from, to);
  }
}

void NumberSet::for_each_gap(std::uint64_t from, std::uint64_t to, const OnRun& on_gap) const {
  bool wanted = true;
  for_each_run([&](std::uint64_t run_from, std::uint64_t run_to) {
    if (run_from > from && from < to) {
      wanted = on_gap(from, std::min(run_from, to));
    }
    from = std::max(from, run_to);
    return wanted && from < to;
  });
  if (wanted && from < to) {
    on_gap(from, to);
  }
}

std::size_t NumberSet::memory_bytes() const {
  constexpr std::size_t kNode = 48;  // Of a std::map, besides the value.
  settle();
  std::size_t bytes = sizeof(*this);
  for (const auto& [index, block] : blocks_) {
    bytes += kNode + block.memory_bytes();
  }
  return bytes;
}

}  // namespace millrace
