// Goal: folders and names are those that Flume 1.11 makes, nothing that an event brings leads out
// of the path's folder, and events that go the same way are told so. Method: known moments in known
// zones; headers that try to lead away.
#include "sink/hdfs/bucket_path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/testing.h"
#include "io/time_zone_name.h"

namespace millrace {
namespace {

using testing_kit::TestEvent;
using Step = BucketPath::Step;
using ::testing::HasSubstr;

constexpr std::int64_t kNow = 1'768'454'262'123;  // 2026-01-15T05:17:42.123Z, a Thursday.

struct Rounding {
  RoundUnit unit = RoundUnit::kNone;
  std::int32_t value = 1;
};

BucketPath path_of(const std::string& folder, const std::string& prefix = "FlumeData",
                   const std::string& zone = "UTC", Rounding rounding = {}, bool local = false) {
  const HostWords host{"host1", "192.0.2.1", "host1.example"};
  BucketPath::Options options;
  options.folder = EventText::parse(folder, host).value();
  options.prefix = EventText::parse(prefix, host).value();
  options.time.zone = TimeZone::load(real_file_system(), time_zone_folder(), zone).value();
  options.time.unit = rounding.unit;
  options.time.value = rounding.value;
  options.use_local_time = local;
  options.escape_colons = true;
  return BucketPath(std::move(options));
}

class BucketPathTest : public ::testing::Test {
 protected:
  // Where an event with these headers goes.
  std::string goes(BucketPath path, const testing_kit::HeaderList& headers) {
    const BatchPtr batch = slabs_.batch_of({TestEvent{"body", headers}});
    path.start_batch(kNow);
    return path.next((*batch)[0]) == Step::kOther ? path.folder() : "rejected: " + path.reason();
  }
  std::string at(const std::string& escapes, std::int64_t ms = kNow,
                 const std::string& zone = "UTC", Rounding rounding = {}) {
    return goes(path_of("/f/" + escapes, "p", zone, rounding), {{"timestamp", std::to_string(ms)}})
        .substr(3);
  }

  testing_kit::Slabs slabs_;
};

TEST_F(BucketPathTest, WritesTimesAsFlumeDoes) {
  EXPECT_EQ(at("%a %A %b %B"), "Thu Thursday Jan January");
  EXPECT_EQ(at("%Y-%m-%d %y %n %e %j"), "2026-01-15 26 1 15 015");
  EXPECT_EQ(at("%H %I %k %l %M %S %p"), "05 05 5 5 17 42 AM");
  EXPECT_EQ(at("%D"), "01/15/26");
  EXPECT_EQ(at("%c"), "Thu Jan 15 05%3A17%3A42 2026");
  EXPECT_EQ(at("%s %t %z"), "1768454262 1768454262123 +0000");
  EXPECT_EQ(at("%I %l %p", kNow + 8 * 3'600'000), "01 1 PM");
  EXPECT_EQ(at("%z", kNow, "America/New_York"), "-0500");
}

TEST_F(BucketPathTest, RoundsByTheClocksOfTheZone) {
  constexpr std::int64_t kMarch = 1'772'955'000'000;
  const Rounding hour{RoundUnit::kHour, 1};
  EXPECT_EQ(at("%Y-%m-%d/%H%M", kNow - 123, "Asia/Kolkata", hour), "2026-01-15/1000");
  EXPECT_EQ(at("%Y-%m-%d/%H%M", kMarch, "Asia/Kolkata", hour), "2026-03-08/1300");
  EXPECT_EQ(at("%Y-%m-%d/%H%M", kNow, "Asia/Kathmandu", hour), "2026-01-15/1100");
  EXPECT_EQ(at("%Y-%m-%d/%H%M", kMarch, "Asia/Kathmandu", hour), "2026-03-08/1300");
  const Rounding two_hours{RoundUnit::kHour, 2};
  EXPECT_EQ(at("%Y-%m-%d/%H%M", kNow, "America/New_York", two_hours), "2026-01-15/0000");
  // 02:00 is skipped there that day.
  EXPECT_EQ(at("%Y-%m-%d/%H%M", kMarch, "America/New_York", two_hours), "2026-03-08/0300");
  EXPECT_EQ(at("%H%M%S %t", kNow, "UTC", {RoundUnit::kMinute, 10}), "051000 1768454262123");
  EXPECT_EQ(at("%H%M%S %s", kNow, "UTC", {RoundUnit::kSecond, 20}), "051740 1768454260");
}

TEST_F(BucketPathTest, PutsHeadersAndTheHostIn) {
  EXPECT_EQ(goes(path_of("/f/%{app}/x"), {{"app", "pay$1"}}), "/f/pay$1/x");
  EXPECT_EQ(goes(path_of("/f/%{app}/x"), {{"app", "50%Y"}}), "/f/50%Y/x");
  EXPECT_EQ(goes(path_of("/f/%{app}/x"), {}), "/f/x");
  EXPECT_EQ(goes(path_of("/f/%{a.b-c}"), {{"a.b-c", "1/2"}}), "/f/1/2");
  EXPECT_EQ(goes(path_of("/%[localhost]/%[ip]/%[FQDN]"), {}), "/host1/192.0.2.1/host1.example");
  EXPECT_EQ(goes(path_of("/100%%/%x%/%{not closed"), {}), "/100%/%/%{not closed");
  EXPECT_FALSE(EventText::parse("%[other]", {}).ok());
}

TEST_F(BucketPathTest, StaysBelowItsFolder) {
  EXPECT_EQ(goes(path_of("/f/%{a}/x"), {{"a", "../../etc"}}), "/f/%2E%2E/%2E%2E/etc/x");
  EXPECT_EQ(goes(path_of("/f/%{a}%{b}"), {{"a", "."}, {"b", "."}}), "/f/%2E%2E");
  EXPECT_EQ(goes(path_of("/f/%{a}"), {{"a", std::string("n\0l:", 4)}}), "/f/n%00l%3A");
  EXPECT_EQ(goes(path_of("/f/%{a}"), {{"a", "\xff"}}), "/f/%FF");
  EXPECT_EQ(goes(path_of("/f/%{a}"), {{"a", "/etc//x/"}}), "/f/etc/x");
  EXPECT_THAT(goes(path_of("/f/%{a}"), {{"a", std::string(256, 'x')}}),
              HasSubstr("make a path that is too long"));
  BucketPath path = path_of("/f", "%{a}");
  const BatchPtr batch = slabs_.batch_of({TestEvent{"", {{"a", "/../x"}}}});
  path.start_batch(0);
  EXPECT_EQ(path.next((*batch)[0]), Step::kOther);
  EXPECT_EQ(path.prefix(), "%2E%2E/x");
}

TEST_F(BucketPathTest, NamesTheHeaderThatIsMissing) {
  EXPECT_THAT(goes(path_of("/f/%Y"), {}), HasSubstr("no header timestamp"));
  EXPECT_THAT(goes(path_of("/f", "%H"), {}), HasSubstr("no header timestamp"));
  for (const char* bad : {"", "now", "1.5", "12x", "99999999999999999999"}) {
    EXPECT_THAT(goes(path_of("/f/%t"), {{"timestamp", bad}}), HasSubstr("header timestamp is no"));
  }
  EXPECT_EQ(goes(path_of("/f/%Y"), {{"timestamp", "0"}}), "/f/1970");
  EXPECT_THAT(goes(path_of("/f/%Y", "p", "UTC", {RoundUnit::kHour, 1}), {{"timestamp", "0"}}),
              HasSubstr("header timestamp is no"));
  EXPECT_EQ(goes(path_of("/f/%Y", "p", "UTC", {}, true), {}), "/f/2026");
}

TEST_F(BucketPathTest, SaysWhatGoesTheSameWay) {
  BucketPath path = path_of("/f/%H%M/%{app}");
  const auto event = [](std::int64_t ms, const std::string& app) {
    return TestEvent{"", {{"timestamp", std::to_string(ms)}, {"app", app}}};
  };
  const BatchPtr batch = slabs_.batch_of({event(kNow, "a"),
                                          event(kNow + 1000, "a"),
                                          {"", {}},
                                          event(kNow + 2000, "a"),
                                          event(kNow + 18'000, "a"),
                                          event(kNow + 18'000, "b"),
                                          event(kNow, "b")});
  path.start_batch(0);
  std::vector<std::string> went;
  for (const EventRef& one : *batch) {
    const Step step = path.next(one);
    went.push_back(step == Step::kSame ? "same" : step == Step::kOther ? path.folder() : "no");
  }
  EXPECT_EQ(went, (std::vector<std::string>{"/f/0517/a", "same", "no", "same", "/f/0518/a",
                                            "/f/0518/b", "/f/0517/b"}));
  path.forget_last();
  EXPECT_EQ(path.next((*batch)[6]), Step::kOther);
}

}  // namespace
}  // namespace millrace
