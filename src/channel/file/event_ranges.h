// Sets of event numbers, kept as ranges: what is in the channel, what was acknowledged.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace millrace::file_channel {

// The number of an event in its channel: 0 for the first one ever put, one more for each put after
// it. Never used twice while any byte on disk may speak of it.
using EventNumber = std::uint64_t;

// The numbers from `first` up to, and without, `end`.
struct EventRange {
  EventNumber first = 0;
  EventNumber end = 0;

  std::uint64_t count() const { return end - first; }
  bool empty() const { return first >= end; }
  friend bool operator==(const EventRange&, const EventRange&) = default;
};

// Of the numbers below `below` so many were given to puts that did not succeed.
struct VoidCount {
  EventNumber below = 0;
  std::uint64_t numbers = 0;
};

// Costs a node for each range, not for each number: a channel that is drained in order has few.
// Threads: its owner's lock.
class EventRanges {
 public:
  // All return how many numbers changed sides.
  std::uint64_t add(EventRange range);
  std::uint64_t add(const EventRanges& ranges);
  std::uint64_t remove(EventRange range);
  std::uint64_t remove(const EventRanges& ranges);
  void clear();

  bool contains(EventNumber number) const;
  bool intersects(EventRange range) const;
  bool intersects(const EventRanges& ranges) const;
  // The parts of `range` that are in the set, and those that are not, in order.
  std::vector<EventRange> within(EventRange range) const;
  std::vector<EventRange> gaps(EventRange range) const;
  std::vector<EventRange> all() const;
  EventRanges lowest(std::uint64_t most) const;        // So many, or all.
  EventRanges common(const EventRanges& other) const;  // In both.

  std::uint64_t count() const { return count_; }
  bool empty() const { return count_ == 0; }
  // The end of the last range; 0 when empty.
  EventNumber upper_bound() const { return ends_.empty() ? 0 : ends_.rbegin()->second; }

 private:
  using Iterator = std::map<EventNumber, EventNumber>::const_iterator;
  // The first range that ends behind `number`.
  Iterator reaching(EventNumber number) const;

  std::map<EventNumber, EventNumber> ends_;  // First number of a range → its end. Never touching.
  std::uint64_t count_ = 0;
};

}  // namespace millrace::file_channel
