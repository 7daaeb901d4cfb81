// A set of numbers that mostly come in order, by the thousand million.
#pragma once

#include <cstdint>
#include <functional>
#include <map>

#include "cli/verify/number_block.h"

namespace millrace {

// At most a bit a number of the blocks of 65,536 that are begun and not full, next to nothing for
// those that are. A number that follows the last one costs an addition. Threads: one.
class NumberSet {
 public:
  // False when it was there before.
  bool insert(std::uint64_t number) {
    if (number == next_ && number < limit_) [[likely]] {
      ++next_;
      return !seen_;
    }
    return insert_elsewhere(number);
  }

  std::uint64_t size() const;
  std::uint64_t count_in(std::uint64_t from, std::uint64_t to) const;  // Of [from, to).
  std::uint64_t lowest() const;  // Of a set that is not empty.
  std::uint64_t highest() const;
  // Calls back with each longest run [from, to), in order; ends early when told false.
  using OnRun = std::function<bool(std::uint64_t from, std::uint64_t to)>;
  void for_each_run(const OnRun& on_run) const;
  // Likewise with what is missing of [from, to).
  void for_each_gap(std::uint64_t from, std::uint64_t to, const OnRun& on_gap) const;
  std::size_t memory_bytes() const;

 private:
  bool insert_elsewhere(std::uint64_t number);
  void settle() const;

  // Positions [first_, next_) were inserted and are not in blocks_ yet, unless they were seen_
  // before; up to limit_ it goes on like that.
  mutable std::uint64_t first_ = 0;
  std::uint64_t next_ = 0;
  std::uint64_t limit_ = 0;
  bool seen_ = false;
  mutable std::map<std::uint64_t, NumberBlock> blocks_;  // By number / kNumbers.
  mutable std::uint64_t size_ = 0;
};

}  // namespace millrace
