#include "channel/file/event_ranges.h"

#include <algorithm>

namespace millrace::file_channel {

EventRanges::Iterator EventRanges::reaching(EventNumber number) const {
  Iterator next = ends_.upper_bound(number);
  if (next != ends_.begin()) {
    const Iterator before = std::prev(next);
    if (before->second > number) {
      return before;
    }
  }
  return next;
}

std::uint64_t EventRanges::add(EventRange range) {
  if (range.empty()) {
    return 0;
  }
  const std::uint64_t wanted = range.count();
  std::uint64_t present = 0;
  // Ranges that overlap or touch become one.
  auto next = ends_.lower_bound(range.first);
  if (next != ends_.begin() && std::prev(next)->second >= range.first) {
    --next;
  }
  EventRange merged = range;
  while (next != ends_.end() && next->first <= range.end) {
    const EventNumber from = std::max(next->first, range.first);
    const EventNumber to = std::min(next->second, range.end);
    present += to > from ? to - from : 0;
    merged.first = std::min(merged.first, next->first);
    merged.end = std::max(merged.end, next->second);
    next = ends_.erase(next);
  }
  ends_.emplace_hint(next, merged.first, merged.end);
  count_ += wanted - present;
  return wanted - present;
}

std::uint64_t EventRanges::add(const EventRanges& ranges) {
  std::uint64_t added = 0;
  for (const auto& [first, end] : ranges.ends_) {
    added += add(EventRange{first, end});
  }
  return added;
}

std::uint64_t EventRanges::remove(EventRange range) {
  if (range.empty()) {
    return 0;
  }
  std::uint64_t removed = 0;
  Iterator next = reaching(range.first);
  while (next != ends_.end() && next->first < range.end) {
    const EventRange old{next->first, next->second};
    next = ends_.erase(next);
    if (old.first < range.first) {
      ends_.emplace(old.first, range.first);
    }
    if (old.end > range.end) {
      next = ends_.emplace(range.end, old.end).first;
    }
    removed += std::min(old.end, range.end) - std::max(old.first, range.first);
    if (old.end > range.end) {
      break;
    }
  }
  count_ -= removed;
  return removed;
}

std::uint64_t EventRanges::remove(const EventRanges& ranges) {
  std::uint64_t removed = 0;
  for (const auto& [first, end] : ranges.ends_) {
    removed += remove(EventRange{first, end});
  }
  return removed;
}

void EventRanges::clear() {
  ends_.clear();
  count_ = 0;
}

bool EventRanges::contains(EventNumber number) const {
  return intersects({number, number + 1});
}

bool EventRanges::intersects(EventRange range) const {
  if (range.empty()) {
    return false;
  }
  const Iterator found = reaching(range.first);
  return found != ends_.end() && found->first < range.end;
}

bool EventRanges::intersects(const EventRanges& ranges) const {
  return std::any_of(ranges.ends_.begin(), ranges.ends_.end(), [this](const auto& range) {
    return intersects(EventRange{range.first, range.second});
  });
}

std::vector<EventRange> EventRanges::within(EventRange range) const {
  std::vector<EventRange> parts;
  for (Iterator next = reaching(range.first); next != ends_.end() && next->first < range.end;
       ++next) {
    parts.push_back({std::max(next->first, range.first), std::min(next->second, range.end)});
  }
  return parts;
}

std::vector<EventRange> EventRanges::gaps(EventRange range) const {
  std::vector<EventRange> parts;
  EventNumber at = range.first;
  for (const EventRange& present : within(range)) {
    if (present.first > at) {
      parts.push_back({at, present.first});
    }
    at = present.end;
  }
  if (at < range.end) {
    parts.push_back({at, range.end});
  }
  return parts;
}

std::vector<EventRange> EventRanges::all() const {
  std::vector<EventRange> ranges;
  ranges.reserve(ends_.size());
  for (const auto& [first, end] : ends_) {
    ranges.push_back({first, end});
  }
  return ranges;
}

EventRanges EventRanges::lowest(std::uint64_t most) const {
  EventRanges low;
  for (auto next = ends_.begin(); next != ends_.end() && low.count_ < most; ++next) {
    low.add({next->first, std::min(next->second, next->first + (most - low.count_))});
  }
  return low;
}

EventRanges EventRanges::common(const EventRanges& other) const {
  EventRanges both;
  for (const auto& [first, end] : ends_) {
    for (const EventRange& part : other.within({first, end})) {
      both.add(part);
    }
  }
  return both;
}

}  // namespace millrace::file_channel
