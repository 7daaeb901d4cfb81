#include "cli/time_zone.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>

#include "io/fake_file_system.h"
#include "io/time_zone_name.h"
#include "source/syslog/syslog_time.h"

namespace millrace {
namespace {

using ::testing::HasSubstr;

class TimeZoneTest : public ::testing::Test {
 public:
  ~TimeZoneTest() override {
    ::unsetenv("TZ");
    ::tzset();
  }

 protected:
  TimeZoneTest() {
    EXPECT_TRUE(files_.create_directories("/zones/America").ok());
    EXPECT_TRUE(files_.create_directories("/zones/Asia").ok());
    for (const char* zone : {"UTC", "America/New_York", "Asia/Kolkata"}) {
      files_.put(std::filesystem::path("/zones") / zone, "TZif2...");
    }
    files_.put("/zones/zone.tab", "# a table");
    files_.put("/secret", "TZif2...");
  }
  std::string rule(const std::string& id) { return time_zone_rule(files_, "/zones", id).value(); }
  std::string refusal(const std::string& id, const std::filesystem::path& folder = "/zones") {
    const Result<std::string> made = time_zone_rule(files_, folder, id);
    EXPECT_FALSE(made.ok()) << id;
    return made.ok() ? "" : made.error().message();
  }

  FakeFileSystem files_{1};
};

TEST_F(TimeZoneTest, RegionsAreThoseOfTheTimeZoneFiles) {
  EXPECT_EQ(rule("UTC"), "UTC");
  EXPECT_EQ(rule("America/New_York"), "America/New_York");
  EXPECT_EQ(rule("IST"), "Asia/Kolkata");
}

// POSIX counts west of Greenwich.
TEST_F(TimeZoneTest, OffsetsChangeTheirSign) {
  EXPECT_EQ(rule("GMT+8"), "<GMT+0800>-08:00");
  EXPECT_EQ(rule("GMT-03"), "<GMT-0300>+03:00");
  for (const char* id : {"GMT+530", "GMT+0530", "GMT+5:30", "GMT+05:30"}) {
    EXPECT_EQ(rule(id), "<GMT+0530>-05:30") << id;
  }
}

TEST_F(TimeZoneTest, AnUnknownOneIsNamed) {
  EXPECT_EQ(refusal("Mars/Olympus"),
            "there is no time zone Mars/Olympus in /zones; names are as Europe/Berlin, UTC or "
            "GMT+01:00");
  for (const char* id : {"zone.tab", "America", "../secret", "/secret", "GMT+24", "GMT+1:60",
                         "GMT+5:3", "GMT+", "GMT+x", "GMT+12345", "utc+1"}) {
    EXPECT_THAT(refusal(id), HasSubstr("no time zone")) << id;
  }
  EXPECT_THAT(refusal("UTC", "/nowhere"), HasSubstr("install the package tzdata"));
}

// Goal: the times of syslog messages that name no zone are taken for local ones there.
TEST_F(TimeZoneTest, SyslogTakesItForLocalTime) {
  const CivilTime noon{2026, 1, 5, 12, 0, 0};
  JavaFlags java;
  for (const auto& [zone, hours_east] : {std::pair("GMT+8", 8), std::pair("GMT-3", -3)}) {
    java.properties["user.timezone"] = zone;
    ASSERT_TRUE(use_time_zone(java).ok());
    EXPECT_EQ(SyslogTime(SyslogZone::kLocal).seconds(noon), utc_seconds(noon) - hours_east * 3600);
    EXPECT_EQ(SyslogTime(SyslogZone::kUtc).seconds(noon), utc_seconds(noon));
  }
  java.properties["user.timezone"] = "Mars/Olympus";
  const Result<> refused = use_time_zone(java);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message(), HasSubstr("-Duser.timezone: there is no time zone Mars"));
}

// As in Java.
TEST_F(TimeZoneTest, AnEmptyNameAsksForNothing) {
  ::setenv("TZ", "XYZ-4", 1);
  JavaFlags java;
  java.properties["user.timezone"] = "";
  ASSERT_TRUE(use_time_zone(java).ok());
  EXPECT_STREQ(std::getenv("TZ"), "XYZ-4");
}

}  // namespace
}  // namespace millrace
