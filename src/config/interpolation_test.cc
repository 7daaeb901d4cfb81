#include "config/interpolation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>

namespace millrace {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

// Times below are of Paris in winter, one hour ahead of UTC.
class InterpolationTest : public ::testing::Test {
 public:
  ~InterpolationTest() override {
    unsetenv("TZ");
    tzset();
  }

 protected:
  InterpolationTest() {
    setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
    tzset();
    context.environment = {{"HOST", "node7"}, {"NESTED", "<${a1.x}>"}, {"LOOP", "${env:LOOP}"}};
    context.system_properties = {{"data.dir", "/data"}};
    context.now = WallTime(std::chrono::milliseconds(1'700'000'000'123));  // 2023-11-14T22:13:20Z
  }

  // The value of `k` beside the entries a1.x = 1, name = x and host = h.
  std::string resolve(std::string_view value) {
    return resolve_in({{"a1.x", "1"}, {"name", "x"}, {"host", "h"}, {"k", value}});
  }
  std::string resolve_in(const PropertySection& set) {
    const Interpolated result = interpolate(set, context, diagnostics);
    referenced = result.referenced;
    return result.properties.find("k")->value;
  }

  LookupContext context;
  Diagnostics diagnostics;
  std::set<std::string, std::less<>> referenced;
};

TEST_F(InterpolationTest, ResolvesTheFourLookups) {
  EXPECT_EQ(resolve("a ${env:HOST} b"), "a node7 b");
  EXPECT_EQ(resolve("${ENV:HOST}"), "node7");
  EXPECT_EQ(resolve("${sys:data.dir}/in"), "/data/in");
  EXPECT_EQ(resolve("${java:version}"), "Java version none");
  EXPECT_EQ(resolve("${date:yyyy-MM-dd'T'HH:mm:ss.SSSZ}"), "2023-11-14T23:13:20.123+0100");
  EXPECT_TRUE(diagnostics.empty());
}

TEST_F(InterpolationTest, ResolvesOtherEntriesForwardAndRecursively) {
  EXPECT_EQ(resolve("${a1.x}${a1.x}"), "11");
  EXPECT_EQ(resolve_in({{"k", "${b}"}, {"b", "<${c}>"}, {"c", "d"}}), "<d>");
  EXPECT_THAT(referenced, Contains("c"));
  EXPECT_THAT(referenced, Not(Contains("k")));
}

TEST_F(InterpolationTest, TakesDefaults) {
  EXPECT_EQ(resolve("${none:-d}"), "d");
  EXPECT_EQ(resolve("${env:NONE:-d e}"), "d e");
  EXPECT_EQ(resolve("${env:HOST:-d}"), "node7");
  EXPECT_EQ(resolve("${none:-}"), "");
  EXPECT_EQ(resolve("${none:-${a1.x}}"), "1");
  EXPECT_EQ(resolve("${env:NONE:-http://h:80/}"), "http://h:80/");
  EXPECT_TRUE(diagnostics.empty());
}

TEST_F(InterpolationTest, ResolvesNamesWithinNames) {
  EXPECT_EQ(resolve("${a1.${name}}"), "1");
  EXPECT_EQ(resolve("${${none:-a1}.${name}}"), "1");
}

TEST_F(InterpolationTest, KeepsWhatIsEscapedOrUnknown) {
  EXPECT_EQ(resolve("$${a1.x}"), "${a1.x}");
  EXPECT_EQ(resolve("$$${a1.x}"), "$${a1.x}");
  EXPECT_EQ(resolve("$${${name}}"), "${x}");
  EXPECT_EQ(resolve("${none} ${const:none} $1 ${"), "${none} ${const:none} $1 ${");
  EXPECT_EQ(resolve("${a1.x"), "${a1.x");
  EXPECT_EQ(resolve("${none.${name}}"), "${none.${name}}");
  EXPECT_EQ(resolve("${f1[\"key\"]}"), "${f1[\"key\"]}");
  EXPECT_EQ(resolve("%{host}/$HOME/}"), "%{host}/$HOME/}");
  EXPECT_TRUE(diagnostics.empty());
}

TEST_F(InterpolationTest, WarnsOfALookupWithoutAValue) {
  EXPECT_EQ(resolve("secret-${env:NONE}"), "secret-${env:NONE}");
  EXPECT_EQ(diagnostics.to_string(), "warning: k: ${env:NONE} has no value and stays as it is\n");
}

TEST_F(InterpolationTest, APrefixThatGivesNothingIsDropped) {
  EXPECT_EQ(resolve("${const:a1.x}"), "1");
  EXPECT_EQ(resolve("${env:host}"), "h");
}

TEST_F(InterpolationTest, ResolvesWhatAVariableHolds) {
  EXPECT_EQ(resolve("${env:NESTED}"), "<1>");
}

TEST_F(InterpolationTest, NamesEveryCircle) {
  EXPECT_EQ(resolve_in({{"k", "1${b}"}, {"b", "2${k}"}}), "12${k}");
  EXPECT_THAT(diagnostics.to_string(), HasSubstr("error: b: refers to itself: k -> b -> k"));
  EXPECT_EQ(resolve("${k}"), "${k}");
  EXPECT_EQ(resolve("${env:LOOP}"), "${env:LOOP}");
  EXPECT_EQ(diagnostics.error_count(), 3U);
}

TEST_F(InterpolationTest, BareNamesOfTheEnvironmentByTheLegacyFlag) {
  EXPECT_EQ(resolve("${HOST}"), "${HOST}");
  context.bare_names_are_environment = true;
  EXPECT_EQ(resolve("${HOST} ${name} ${NONE}"), "node7 x ${NONE}");
}

// Goal: values that double with each reference do not fill the memory.
TEST_F(InterpolationTest, BoundsWhatValuesGrowTo) {
  std::vector<Property> entries;
  for (int i = 0; i < 64; ++i) {
    const std::string next = "${p" + std::to_string(i + 1) + "}";
    const std::string key = "p" + std::to_string(i);
    entries.push_back({key, next + next, "", 0, key});
  }
  entries.push_back({"p64", "0123456789", "", 0, "p64"});
  entries.push_back({"k", "${p0}", "", 0, "k"});
  EXPECT_LE(resolve_in(PropertySection("", entries)).size(), 2 * kMostValueBytes);
  EXPECT_TRUE(diagnostics.has_errors());
}

TEST_F(InterpolationTest, BoundsTheDepthOfReferences) {
  std::vector<Property> entries{{"k", "${p0}", "", 0, "k"}};
  for (int i = 0; i < 10'000; ++i) {
    const std::string key = "p" + std::to_string(i);
    entries.push_back({key, "${p" + std::to_string(i + 1) + "}", "", 0, key});
  }
  resolve_in(PropertySection("", entries));
  std::string nested;
  for (int i = 0; i < 10'000; ++i) {
    nested += "${";
  }
  resolve(nested + std::string(10'000, '}'));
  EXPECT_THAT(diagnostics.to_string(), HasSubstr("nested deeper than 64"));
}

TEST_F(InterpolationTest, FormatsDatesAsJavaDoes) {
  const auto date = [&](std::string_view pattern) {
    return format_java_date(pattern, context.now).value_or("none");
  };
  EXPECT_EQ(date("yy/M/d"), "23/11/14");
  EXPECT_EQ(date("EEE, dd MMM yyyy"), "Tue, 14 Nov 2023");
  EXPECT_EQ(date("EEEE MMMM D u"), "Tuesday November 318 2");
  EXPECT_EQ(date("h:mm a k K"), "11:13 PM 23 11");
  EXPECT_EQ(date("X XX XXX z"), "+01 +0100 +01:00 CET");
  EXPECT_EQ(date("'o''clock' ''"), "o'clock '");
  EXPECT_EQ(date("yyyy 'open"), "none");
  EXPECT_EQ(date("yyyyb"), "none");
}

TEST_F(InterpolationTest, ProcessLookupsKnowThePlatform) {
  const LookupContext process = process_lookups({{"os.name", "mine"}, {"x", "1"}}, context.now);
  EXPECT_EQ(look_up(process, "sys", "os.name"), "mine");
  EXPECT_EQ(look_up(process, "sys", "x"), "1");
  EXPECT_EQ(look_up(process, "sys", "file.separator"), "/");
  EXPECT_TRUE(look_up(process, "sys", "user.home").has_value());
  EXPECT_TRUE(look_up(process, "env", "PATH").has_value());
  EXPECT_FALSE(process.bare_names_are_environment);
  EXPECT_TRUE(process_lookups(
                  {{"propertiesImplementation", "org.apache.flume.node.EnvVarResolverProperties"}},
                  context.now)
                  .bare_names_are_environment);
}

}  // namespace
}  // namespace millrace
