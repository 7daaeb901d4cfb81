#include "cli/times.h"

#include <gtest/gtest.h>

#include <random>

namespace millrace {
namespace {

TEST(Times, AreReadAsRfc3339GivesThem) {
  EXPECT_EQ(parse_time("1970-01-01T00:00:00Z"), 0);
  EXPECT_EQ(parse_time("2026-11-30T18:01:02.5Z"), 1'796'061'662'500);
  EXPECT_EQ(parse_time("2026-11-30t18:01:02.5009z"), 1'796'061'662'500);
  EXPECT_EQ(parse_time("2026-11-30T20:31:02.500+02:30"), 1'796'061'662'500);
  EXPECT_EQ(parse_time("2026-11-30 13:01:02.500-05:00"), 1'796'061'662'500);
  EXPECT_EQ(parse_time("1969-12-31T23:59:59.999Z"), -1);
}

TEST(Times, AnythingElseIsNone) {
  for (const char* text :
       {"", "now", "2026-11-30", "2026-11-30T18:01:02", "2026-11-30T18:01Z", "2026-02-29T00:00:00Z",
        "2026-13-01T00:00:00Z", "2026-11-30T24:00:00Z", "2026-11-30T18:01:02.Z",
        "2026-11-30T18:01:02Zx", "2026-11-30T18:01:02+2:00", "1796061662500"}) {
    EXPECT_EQ(parse_time(text), std::nullopt) << text;
  }
}

TEST(Times, WhatIsWrittenIsRead) {
  EXPECT_EQ(time_text(1'796'061'662'005), "2026-11-30T18:01:02.005Z");
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (int i = 0; i < 10'000; ++i) {
    const auto time = static_cast<std::int64_t>(random() % 200'000'000'000'000);
    EXPECT_EQ(parse_time(time_text(time)), time);
  }
}

}  // namespace
}  // namespace millrace
