#include "channel/file/event_ranges.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace millrace::file_channel {
namespace {

// Goal: the ranges are a set of numbers. Method: random adds and removes beside a std::set.
TEST(EventRangesTest, BehavesAsASetOfNumbers) {
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  EventRanges ranges;
  std::set<EventNumber> model;
  for (int step = 0; step < 5000; ++step) {
    const EventNumber first = random() % 200;
    const EventRange range{first, first + random() % 30};
    std::uint64_t changed = 0;
    const bool adds = random() % 2 == 0;
    for (EventNumber n = range.first; n < range.end; ++n) {
      changed += adds ? model.insert(n).second : model.erase(n);
    }
    ASSERT_EQ(adds ? ranges.add(range) : ranges.remove(range), changed);
    ASSERT_EQ(ranges.count(), model.size());
    std::set<EventNumber> listed;
    EventNumber last_end = 0;
    for (const EventRange& part : ranges.all()) {
      ASSERT_TRUE(listed.empty() || part.first > last_end);
      last_end = part.end;
      for (EventNumber n = part.first; n < part.end; ++n) {
        listed.insert(n);
      }
    }
    ASSERT_EQ(listed, model);
    std::uint64_t inside = 0;
    std::uint64_t outside = 0;
    for (const EventRange& part : ranges.within(range)) {
      inside += part.count();
      ASSERT_TRUE(ranges.contains(part.first) && ranges.contains(part.end - 1));
    }
    for (const EventRange& part : ranges.gaps(range)) {
      outside += part.count();
      ASSERT_FALSE(ranges.intersects(part));
    }
    ASSERT_EQ(inside + outside, range.count());
  }
}

TEST(EventRangesTest, SetsAreJoinedAndTakenApart) {
  EventRanges a;
  EventRanges b;
  a.add({0, 10});
  a.add({20, 30});
  b.add({5, 25});
  EXPECT_EQ(a.common(b).all(), (std::vector<EventRange>{{5, 10}, {20, 25}}));
  EXPECT_TRUE(a.intersects(b));
  EXPECT_FALSE(a.intersects(EventRanges()));
  EXPECT_EQ(a.lowest(12).all(), (std::vector<EventRange>{{0, 10}, {20, 22}}));
  EXPECT_EQ(a.lowest(99).all(), a.all());
  EXPECT_EQ(EventRanges(a).remove(b), 10U);
  EXPECT_EQ(a.add(b), 10U);
  EXPECT_EQ(a.all(), (std::vector<EventRange>{{0, 30}}));
  EXPECT_EQ(a.remove(b), 20U);
  EXPECT_FALSE(a.intersects(b));
}

}  // namespace
}  // namespace millrace::file_channel
