// Tells what of a hammer's numbers is lost, doubled or sent again.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "cli/hammer/report.h"
#include "cli/verify/number_set.h"

namespace millrace {

// What a hammer was to deliver: every number of [first, next) but those that may be missing.
struct Expected {
  std::uint64_t first = 0;
  std::uint64_t next = 0;
  std::vector<Interval> may_be_missing;  // In order and apart.
};

struct Tally {
  std::uint64_t total = 0;    // Different numbers that were read.
  std::uint64_t lost = 0;     // Expected, and not read.
  std::uint64_t dups = 0;     // Read more than once with the same mark: the agent repeated them.
  std::uint64_t retried = 0;  // Copies of a number that the hammer itself sent again, marked.
  std::uint64_t unknown = 0;  // Numbers outside [first, next): never sent.
  std::vector<Interval> lost_examples;  // The first ones, at most kMostExamples.

  static constexpr std::size_t kMostExamples = 8;
};

// Numbers come one by one in any order; those in order cost next to nothing. A number with the mark
// of its n-th copy stands for itself: it is doubled only by another one with that mark, and what a
// number has beyond one copy in all is `retried`. Exact, whatever the order. Threads: one.
class SequenceChecker {
 public:
  void add(std::uint64_t number, unsigned copy = 0) {
    NumberSet& set = copy == 0 ? first_copies_ : later_copies_[copy];
    dups_ += set.insert(number) ? 0 : 1;
  }

  // Nothing is to be added afterwards. Without `expected`: from `start`, or the lowest number read
  // where that is less, to the highest.
  Tally finish(const Expected& expected);
  Tally finish(std::uint64_t start);

  std::size_t memory_bytes() const;

 private:
  void join_copies();
  Tally tally(const Expected& expected) const;

  NumberSet first_copies_;
  std::map<unsigned, NumberSet> later_copies_;
  std::uint64_t dups_ = 0;
  std::uint64_t retried_ = 0;
};

}  // namespace millrace
