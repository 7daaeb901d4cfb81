#include "cli/channel/replay_range.h"

#include <gtest/gtest.h>

namespace millrace {
namespace {

ReplayRange range(const std::string& from, const std::string& to = "") {
  const Result<ReplayRange> range = parse_range(from, to);
  EXPECT_TRUE(range.ok()) << range.error().message();
  return *range;
}

TEST(ReplayRangeTest, BothEndsBelongToIt) {
  const ReplayRange numbers = range("5", "7");
  EXPECT_FALSE(numbers.is_about_time());
  EXPECT_FALSE(numbers.holds(4, 1));
  EXPECT_TRUE(numbers.holds(5, 0));
  EXPECT_TRUE(numbers.holds(7, 0));
  EXPECT_FALSE(numbers.holds(8, 1));
  const ReplayRange times = range("1970-01-01T00:00:05Z", "7000ms");
  EXPECT_TRUE(times.is_about_time());
  EXPECT_FALSE(times.holds(0, 4999));
  EXPECT_TRUE(times.holds(0, 5000));
  EXPECT_TRUE(times.holds(0, 7000));
  EXPECT_FALSE(times.holds(0, 7001));
}

TEST(ReplayRangeTest, NumbersAndTimesGoTogether) {
  const ReplayRange mixed = range("5", "7000ms");
  EXPECT_FALSE(mixed.holds(4, 7000));
  EXPECT_TRUE(mixed.holds(5, 7000));
  EXPECT_FALSE(mixed.holds(5, 7001));
  EXPECT_FALSE(mixed.holds(5, 0));  // Nobody knows when.
}

TEST(ReplayRangeTest, AnythingElseIsRefused) {
  for (const char* from : {"", "x", "-1", "5s", "2026-11-30", "99999999999999999999"}) {
    EXPECT_FALSE(parse_range(from, "").ok()) << from;
  }
  EXPECT_FALSE(parse_range("5", "4").ok());
  EXPECT_FALSE(parse_range("5000ms", "4000ms").ok());
}

}  // namespace
}  // namespace millrace
