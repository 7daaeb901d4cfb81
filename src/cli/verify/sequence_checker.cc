#include "cli/verify/sequence_checker.h"

#include <algorithm>

namespace millrace {
namespace {

// What is missing of [from, to).
void count_lost(const NumberSet& read, std::uint64_t from, std::uint64_t to, Tally& tally) {
  read.for_each_gap(from, to, [&](std::uint64_t gap_from, std::uint64_t gap_to) {
    tally.lost += gap_to - gap_from;
    if (tally.lost_examples.size() < Tally::kMostExamples) {
      tally.lost_examples.push_back({gap_from, gap_to - 1});
    }
    return true;
  });
}

}  // namespace

// All numbers into first_copies_; those that were there already had a further copy.
void SequenceChecker::join_copies() {
  for (const auto& entry : later_copies_) {
    entry.second.for_each_run([&](std::uint64_t from, std::uint64_t to) {
      for (std::uint64_t number = from; number < to; ++number) {
        retried_ += first_copies_.insert(number) ? 0 : 1;
      }
      return true;
    });
  }
  later_copies_.clear();
}

Tally SequenceChecker::finish(const Expected& expected) {
  join_copies();
  return tally(expected);
}

Tally SequenceChecker::finish(std::uint64_t start) {
  join_copies();
  if (first_copies_.size() == 0) {
    return tally({});
  }
  return tally({std::min(start, first_copies_.lowest()), first_copies_.highest() + 1, {}});
}

Tally SequenceChecker::tally(const Expected& expected) const {
  Tally tally;
  tally.dups = dups_;
  tally.retried = retried_;
  tally.total = first_copies_.size();
  tally.unknown = tally.total - first_copies_.count_in(expected.first, expected.next);
  std::uint64_t from = expected.first;
  for (const Interval& interval : expected.may_be_missing) {
    count_lost(first_copies_, from, interval.first, tally);
    from = interval.last + 1;
  }
  count_lost(first_copies_, from, expected.next, tally);
  return tally;
}

std::size_t SequenceChecker::memory_bytes() const {
  std::size_t bytes = first_copies_.memory_bytes();
  for (const auto& entry : later_copies_) {
    bytes += entry.second.memory_bytes();
  }
  return bytes;
}

}  // namespace millrace
