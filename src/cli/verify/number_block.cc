#include "cli/verify/number_block.h"

#include <algorithm>

namespace millrace {

std::vector<NumberBlock::Run>::const_iterator NumberBlock::run_at_or_behind(
    std::uint32_t position) const {
  return std::lower_bound(runs_.begin(), runs_.end(), position,
                          [](const Run& run, std::uint32_t wanted) { return run.last < wanted; });
}

NumberBlock::Stretch NumberBlock::stretch(std::uint32_t from) const {
  if (is_full()) {
    return {kNumbers, true};
  }
  if (bits_) {
    return stretch_of_bits(from);
  }
  const auto run = run_at_or_behind(from);
  if (run == runs_.end()) {
    return {kNumbers, false};
  }
  return run->first <= from ? Stretch{run->last + 1U, true} : Stretch{run->first, false};
}

NumberBlock::Stretch NumberBlock::stretch_of_bits(std::uint32_t from) const {
  const bool seen = ((bits_[from / 64] >> (from % 64)) & 1) != 0;
  const std::uint64_t flip = seen ? ~std::uint64_t{0} : 0;  // A 1 is then where the stretch ends.
  std::uint64_t word = (bits_[from / 64] ^ flip) & (~std::uint64_t{0} << (from % 64));
  std::uint32_t index = from / 64;
  while (word == 0 && ++index < kWords) {
    word = bits_[index] ^ flip;
  }
  const auto bit = static_cast<std::uint32_t>(std::countr_zero(word));
  return {index == kWords ? kNumbers : index * 64 + bit, seen};
}

void NumberBlock::mark(std::uint32_t from, std::uint32_t to) {
  if (from == to) {
    return;
  }
  count_ += to - from;
  if (is_full()) {
    runs_ = std::vector<Run>();  // Gives the memory back, as an assignment of {} would not.
    bits_.reset();
    return;
  }
  if (!bits_) {
    mark_run(from, to);
  } else {
    mark_bits(from, to);
  }
}

// Joins its neighbours where it touches them.
void NumberBlock::mark_run(std::uint32_t from, std::uint32_t to) {
  auto behind = runs_.begin() + (run_at_or_behind(from) - runs_.cbegin());
  const bool joins_behind = behind != runs_.end() && behind->first == to;
  const bool joins_before = behind != runs_.begin() && (behind - 1)->last + 1U == from;
  if (joins_before && joins_behind) {
    (behind - 1)->last = behind->last;
    runs_.erase(behind);
  } else if (joins_before) {
    (behind - 1)->last = static_cast<std::uint16_t>(to - 1);
  } else if (joins_behind) {
    behind->first = static_cast<std::uint16_t>(from);
  } else {
    runs_.insert(behind, {static_cast<std::uint16_t>(from), static_cast<std::uint16_t>(to - 1)});
  }
  if (runs_.size() > kMostRuns) {
    to_bitmap();
  }
}

void NumberBlock::mark_bits(std::uint32_t from, std::uint32_t to) {
  for (std::uint32_t at = from; at < to;) {
    const std::uint32_t end = std::min(to, (at / 64 + 1) * 64);
    const std::uint64_t ones = ~std::uint64_t{0} >> (64 - (end - at));
    bits_[at / 64] |= ones << (at % 64);
    at = end;
  }
}

void NumberBlock::to_bitmap() {
  bits_ = std::make_unique<std::uint64_t[]>(kWords);
  for (const Run& run : runs_) {
    mark_bits(run.first, run.last + 1U);
  }
  runs_ = std::vector<Run>();
}

std::uint32_t NumberBlock::count_in(std::uint32_t from, std::uint32_t to) const {
  std::uint32_t count = 0;
  while (from < to) {
    const Stretch next = stretch(from);
    const std::uint32_t end = std::min(to, next.to);
    count += next.seen ? end - from : 0;
    from = end;
  }
  return count;
}

std::size_t NumberBlock::memory_bytes() const {
  return sizeof(*this) + runs_.capacity() * sizeof(Run) + (bits_ ? kWords * 8 : 0);
}

}  // namespace millrace
