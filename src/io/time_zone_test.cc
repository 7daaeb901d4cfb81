// Goal: local times are those that the system's own rules give, also behind the last change that a
// file names. Method: known moments, files made here, and localtime_r() at random moments.
#include "io/time_zone.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <random>

#include "io/time_zone_name.h"

namespace millrace {
namespace {

constexpr std::int64_t kDay = 86'400;

TimeZone zone(const std::string& id) {
  Result<TimeZone> loaded = TimeZone::load(real_file_system(), time_zone_folder(), id);
  EXPECT_TRUE(loaded.ok()) << id;
  return loaded.ok() ? std::move(loaded).value() : TimeZone();
}

TEST(TimeZone, KnowsOffsetsWithMinutes) {
  EXPECT_EQ(zone("Asia/Kolkata").offset_at(1'768'454'262), 5 * 3600 + 1800);
  EXPECT_EQ(zone("Asia/Kathmandu").offset_at(1'768'454'262), 5 * 3600 + 2700);
  EXPECT_EQ(zone("GMT+5:30").offset_at(0), 5 * 3600 + 1800);
  EXPECT_EQ(zone("GMT-03").offset_at(0), -3 * 3600);
}

// 2026-03-08 in New York: 01:59:59 EST, then 03:00:00 EDT.
TEST(TimeZone, ChangesToSummerTimeAndBack) {
  const TimeZone new_york = zone("America/New_York");
  EXPECT_EQ(new_york.offset_at(1'772'953'199), -5 * 3600);
  EXPECT_EQ(new_york.offset_at(1'772'953'200), -4 * 3600);
  const std::int64_t two = 1'772'953'200 - 5 * 3600;  // 02:00, which the clocks skip.
  EXPECT_EQ(new_york.seconds_of(two), 1'772'953'200);
  EXPECT_EQ(new_york.seconds_of(two - 1), 1'772'953'199);
  EXPECT_EQ(new_york.seconds_of(two + 3600), 1'772'953'200);
  // 2026-11-01 01:30 comes twice.
  EXPECT_EQ(new_york.seconds_of(1'793'496'600), 1'793'496'600 + 5 * 3600);
}

TEST(TimeZone, AgreesWithTheSystem) {
  const std::uint32_t seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  std::uniform_int_distribution<std::int64_t> moments(0, 80 * 365 * kDay);
  for (const char* id : {"America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "UTC",
                         "Pacific/Apia", "America/Sao_Paulo", "Europe/Dublin", "Asia/Tehran"}) {
    ::setenv("TZ", id, 1);
    ::tzset();
    const TimeZone ours = zone(id);
    const TimeZone theirs;
    for (int i = 0; i < 2000; ++i) {
      const std::int64_t at = moments(random);
      ASSERT_EQ(ours.offset_at(at), theirs.offset_at(at)) << id << " at " << at;
    }
  }
  ::unsetenv("TZ");
  ::tzset();
}

TEST(TimeZoneRule, KnowsAllWaysToNameADay) {
  // The last Sunday of March 2030, 01:00 UTC.
  const TimeZoneRule berlin = TimeZoneRule::parse("CET-1CEST,M3.5.0,M10.5.0/3").value();
  EXPECT_EQ(berlin.offset_at(1'901'149'199), 3600);
  EXPECT_EQ(berlin.offset_at(1'901'149'200), 7200);
  // Day 60 without February 29 is March 1, whatever the year: 2028-03-01T00:00Z.
  const TimeZoneRule julian = TimeZoneRule::parse("<AAA>0<BBB>-2,J60/0,J300/0").value();
  EXPECT_EQ(julian.offset_at(1'835'481'599), 0);
  EXPECT_EQ(julian.offset_at(1'835'481'600), 7200);
  // From 0, leap day included: the same moment is day 60 of 2028.
  const TimeZoneRule day = TimeZoneRule::parse("AAA0BBB,60/0,300/0").value();
  EXPECT_EQ(day.offset_at(1'835'481'599), 0);
  EXPECT_EQ(day.offset_at(1'835'481'600), 3600);
  // In the south summer spans the turn of the year.
  const TimeZoneRule south = TimeZoneRule::parse("AEST-10AEDT,M10.1.0,M4.1.0/3").value();
  EXPECT_EQ(south.offset_at(1'830'297'600), 11 * 3600);  // 2028-01-01.
}

TEST(TimeZone, RefusesWhatIsNone) {
  for (const char* bad : {"", "AB1", "ABC", "ABC1DEF", "ABC1DEF,M13.1.0,M4.1.0", "ABC1DEF,M3.1.0",
                          "ABC1DEF,M3.1.0,M4.1.7", "ABC1DEF,M3.1.0,M4.1.0x", "<ABC1", "ABC999"}) {
    EXPECT_FALSE(TimeZoneRule::parse(bad).ok()) << bad;
  }
  const std::string whole =
      read_file(real_file_system(), time_zone_folder() / "America/New_York").value();
  EXPECT_TRUE(TimeZone::parse(whole).ok());
  for (std::size_t size = 0; size < whole.size() - 40; size += 7) {
    EXPECT_FALSE(TimeZone::parse(whole.substr(0, size)).ok()) << size;
  }
  EXPECT_FALSE(TimeZone::load(real_file_system(), time_zone_folder(), "Mars/Olympus").ok());
}

}  // namespace
}  // namespace millrace
