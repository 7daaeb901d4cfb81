// Unit tests of a configuration, from the command line to what is printed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "cli/cli.h"
#include "io/temp_folder.h"

namespace millrace {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kAgent =
    "a1.sources = r1\n"
    "a1.channels = c1 c2\n"
    "a1.sinks = k1 k2\n"
    "a1.sources.r1.type = netcat\n"
    "a1.sources.r1.bind = 127.0.0.1\n"
    "a1.sources.r1.port = 1\n"
    "a1.sources.r1.channels = c1 c2\n"
    "a1.sources.r1.interceptors = quiet level\n"
    "a1.sources.r1.interceptors.quiet.type = regex_filter\n"
    "a1.sources.r1.interceptors.quiet.regex = DEBUG\n"
    "a1.sources.r1.interceptors.quiet.excludeEvents = true\n"
    "a1.sources.r1.interceptors.level.type = regex_extractor\n"
    "a1.sources.r1.interceptors.level.regex = level=(\\\\w+)\n"
    "a1.sources.r1.interceptors.level.serializers = l\n"
    "a1.sources.r1.interceptors.level.serializers.l.name = level\n"
    "a1.sources.r1.selector.type = multiplexing\n"
    "a1.sources.r1.selector.header = level\n"
    "a1.sources.r1.selector.mapping.ERROR = c2\n"
    "a1.sources.r1.selector.default = c1\n"
    "a1.channels.c1.type = memory\n"
    "a1.channels.c2.type = file\n"  // Line 21.
    "a1.channels.c2.checkpointDir = /nonexistent/check\n"
    "a1.channels.c2.dataDirs = /nonexistent/data\n"
    "a1.sinks.k1.type = null\n"
    "a1.sinks.k1.channel = c1\n"
    "a1.sinks.k2.type = null\n"
    "a1.sinks.k2.channel = c2\n"
    "a1.tests = t1\n"
    "a1.tests.t1.source = r1\n"
    "a1.tests.t1.input.1.body = level=ERROR disk full\n"  // Line 30.
    "a1.tests.t1.input.1.headers.host = web1\n"
    "a1.tests.t1.input.2.body = level=DEBUG\n"
    "a1.tests.t1.input.10.body = plain\n";

class TestCommandTest : public testing::Test {
 protected:
  // `keys` go behind the agent and the input of its test t1.
  int test(const std::string& keys, const std::vector<std::string>& options = {}) {
    std::ofstream(temp / "a1.conf") << kAgent << keys;
    std::vector<std::string> line{"test", (temp / "a1.conf").string()};
    line.insert(line.end(), options.begin(), options.end());
    return run(line);
  }
  int run(const std::vector<std::string>& line) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int status = run_program(line);
    printed = testing::internal::GetCapturedStdout() + testing::internal::GetCapturedStderr();
    return status;
  }
  std::string place(int line) const {
    return (temp / "a1.conf").string() + ":" + std::to_string(line) + ": ";
  }

  TempFolder temp;
  std::string printed;
};

TEST_F(TestCommandTest, HoldsWhatEachChannelGets) {
  EXPECT_EQ(test("a1.tests.t1.output.c1.1.body = plain\n"
                 "a1.tests.t1.output.c1.1.absentHeaders = level host\n"
                 "a1.tests.t1.output.c2.count = 1\n"
                 "a1.tests.t1.output.c2.1.bodyMatches = disk \\\\w+$\n"
                 "a1.tests.t1.output.c2.1.headers.level = ERROR\n"
                 "a1.tests.t1.output.c2.1.headersMatch.host = ^web\\\\d\n"),
            kDone);
  EXPECT_EQ(printed, "test a1.t1: passed\n1 test: 1 passed, 0 failed\n");
}

TEST_F(TestCommandTest, ShowsEachFailureWithItsPlace) {
  EXPECT_EQ(test("a1.tests.t1.output.c1.1.body = plain text\n"
                 "a1.tests.t1.output.c2.count = 0\n"
                 "a1.tests.t1.output.c2.1.headers.level = WARN\n"),
            kBadConfiguration);
  EXPECT_THAT(printed, HasSubstr(place(35) + "error: a1.tests.t1.output.c2.count = \"0\": event 1 "
                                             "is described all the same\n"));
  EXPECT_EQ(test("a1.tests.t1.output.c1.1.body = plain text\n"
                 "a1.tests.t1.output.c1.1.headers.host = web1\n"
                 "a1.tests.t1.output.c2.2.body = more\n"
                 "a1.tests.t1.output.c2.1.headers.level = WARN\n"
                 "a1.tests.t1.output.c2.1.absentHeaders = host\n"
                 "a1.tests.t1.output.c2.1.bodyMatches = full.\n"),
            kFailedAtWork);
  EXPECT_EQ(printed,
            "test a1.t1: failed\n" + place(34) +
                "a1.tests.t1.output.c1.1.body\n  expected \"plain text\"\n  got      \"plain\"\n" +
                place(35) +
                "a1.tests.t1.output.c1.1.headers.host\n  expected \"web1\"\n"
                "  got      no such header in {} \"plain\"\n" +
                place(36) +
                "a1.tests.t1.output.c2\n  expected 2 events\n  got      1 event\n"
                "    1: {\"host\": \"web1\", \"level\": \"ERROR\"} \"level=ERROR disk full\"\n" +
                place(39) +
                "a1.tests.t1.output.c2.1.bodyMatches\n  expected a match of full.\n"
                "  got      \"level=ERROR disk full\"\n" +
                place(37) +
                "a1.tests.t1.output.c2.1.headers.level\n  expected \"WARN\"\n  got      "
                "\"ERROR\"\n" +
                place(38) +
                "a1.tests.t1.output.c2.1.absentHeaders\n  expected no header \"host\"\n"
                "  got      \"web1\"\n"
                "1 test: 0 passed, 1 failed\n");
}

TEST_F(TestCommandTest, SaysAllThatIsWrongWithTheTestsAtOnce) {
  EXPECT_EQ(test("a1.tests.t1.output.c3.1.body = x\n"
                 "a1.tests.t1.output.c1.1.bdoy = x\n"
                 "a1.tests.t1.output.c1.cuont = 1\n"
                 "a1.tests.t1.output.c2.1.bodyMatches = (\n"
                 "a1.tests.t1.output.c2.1.headersMatch.host = [\n"
                 "a1.tests.t1.output.c2 = 1\n"
                 "a1.tests.t1.inptu.1.body = x\n"
                 "a1.tests.t1.input.3 = x\n"
                 "a1.tests.t1.input.0.body = x\n"
                 "a1.tests = t1 t2 t3\n"
                 "a1.tests.t2.source = r2\n"
                 "a1.tests.t4.source = r1\n"
                 "a1.tests.t1.input.01.body = x\n"),
            kBadConfiguration);
  for (const std::string& text :
       {place(34) + "error: a1.tests.t1.output.c3.1.body = \"x\": source r1 has no channel c3; did "
                    "you mean \"c1\"?",
        place(35) + "error: a1.tests.t1.output.c1.1.bdoy: is not a key of this component and has "
                    "no effect; did you mean \"body\"?",
        place(36) + "error: a1.tests.t1.output.c1.cuont: is not", std::string("mean \"count\"?"),
        place(37) + "error: a1.tests.t1.output.c2.1.bodyMatches = \"(\": is no regular expression",
        place(38) + "error: a1.tests.t1.output.c2.1.headersMatch.host = \"[\": is no regular",
        place(40) + "error: a1.tests.t1.inptu.1.body: is not a key",
        place(41) + "error: a1.tests.t1.input.3 = \"x\": names no key of an event; did you mean "
                    "\"3.body\"?",
        place(42) + "error: a1.tests.t1.input.0.body: is not a key",
        place(44) + "error: a1.tests.t2.source = \"r2\": agent a1 has no such source; did you mean "
                    "\"r1\"?",
        place(44) + "error: a1.tests.t2.input: is missing: the test puts nothing in",
        place(44) + "error: a1.tests.t2.output: is missing: the test expects nothing",
        place(43) + "error: a1.tests: test t3 is listed but has no keys",
        place(45) + "error: a1.tests.t4: test t4 is not listed in a1.tests",
        place(46) + "error: a1.tests.t1.input.01.body: is not a key"}) {
    EXPECT_THAT(printed, HasSubstr(text));
  }
  EXPECT_THAT(printed, Not(HasSubstr("passed")));
}

TEST_F(TestCommandTest, TakesLinesOfAFileBesideTheConfiguration) {
  std::ofstream(temp / "lines.txt") << "level=ERROR one\n\n two ";
  EXPECT_EQ(test("a1.tests.t1.input.file = lines.txt\n"
                 "a1.tests.t1.output.c1.count = 3\n"
                 "a1.tests.t1.output.c1.1.bodyMatches = ^$\n"
                 "a1.tests.t1.output.c1.2.bodyMatches = ^ two $\n"
                 "a1.tests.t1.output.c1.3.body = plain\n"
                 "a1.tests.t1.output.c2.1.body = level=ERROR one\n"
                 "a1.tests.t1.output.c2.count = 2\n"),
            kDone)
      << printed;
  EXPECT_EQ(test("a1.tests.t1.input.file = missing.txt\na1.tests.t1.output.c1.count = 1\n"),
            kBadConfiguration);
  EXPECT_THAT(printed, HasSubstr(place(34) + "error: a1.tests.t1.input.file = \"missing.txt\": "));
}

TEST_F(TestCommandTest, TestsMayStandInAFileOfTheirOwn) {
  std::ofstream(temp / "more.conf") << "a1.tests = t1 t2\na1.tests.t2.source = r1\n"
                                       "a1.tests.t2.input.1.headers.level = ERROR\n"
                                       "a1.tests.t2.output.c2.count = 1\n"
                                       "a1.tests.t1.output.c1.count = 1\n";
  EXPECT_EQ(test("", {(temp / "more.conf").string()}), kDone) << printed;
  EXPECT_THAT(printed, HasSubstr("2 tests: 2 passed, 0 failed\n"));
  EXPECT_EQ(run({"test", (temp / "more.conf").string()}), kBadConfiguration);
  EXPECT_THAT(printed, HasSubstr("error: the files define no agent\n"));
}

TEST_F(TestCommandTest, TestsOfNoAgentAreAnError) {
  EXPECT_EQ(test("a1.tests.t1.output.c1.count = 1\n"
                 "a2.tests = t1\na2.tests.t1.source = r1\nvars.tests = 1\na1.sinks.k1.x = "
                 "${vars.tests}\n"),
            kBadConfiguration);
  EXPECT_THAT(printed, HasSubstr(place(35) + "error: a2.tests: there is no agent a2; did you mean "
                                             "\"a1\"?\n"));
  EXPECT_THAT(printed, Not(HasSubstr("no agent vars")));
  EXPECT_THAT(printed, Not(HasSubstr("a2.tests.t1.source: there is no agent")));
}

TEST_F(TestCommandTest, RunsNothingOfAFaultyConfiguration) {
  EXPECT_EQ(test("a1.tests.t1.output.c1.count = 1\na1.sources.r1.port = x\n"), kBadConfiguration);
  EXPECT_THAT(printed, Not(HasSubstr("passed")));
  EXPECT_EQ(run({"test"}), kBadUsage);
  std::ofstream(temp / "a1.conf") << "a1.sources = r1\na1.channels = c1\na1.sources.r1.type = seq\n"
                                     "a1.sources.r1.channels = c1\na1.channels.c1.type = memory\n";
  EXPECT_EQ(run({"test", (temp / "a1.conf").string()}), kBadConfiguration);
  EXPECT_THAT(printed, HasSubstr("error: there is no test: AGENT.tests lists them\n"));
}

TEST_F(TestCommandTest, KeepsWhatAConfigFilterGaveSecret) {
  ::setenv("MILLRACE_TEST_SECRET", "swordfish", 1);
  EXPECT_EQ(test("a1.configfilters = f\na1.configfilters.f.type = env\n"
                 "a1.sources.r1.interceptors = s\na1.sources.r1.interceptors.s.type = static\n"
                 "a1.sources.r1.interceptors.s.value = ${f[\"MILLRACE_TEST_SECRET\"]}\n"
                 "a1.tests.t1.output.c1.1.headers.key = x\n"),
            kFailedAtWork);
  EXPECT_THAT(printed, HasSubstr("  got      \"${f[\"MILLRACE_TEST_SECRET\"]}\"\n"));
  EXPECT_THAT(printed, Not(HasSubstr("swordfish")));
}

TEST_F(TestCommandTest, AnAgentDoesNotLookAtThem) {
  std::ofstream(temp / "a1.conf") << kAgent << "a1.tests.t9.nonsense = x\n";
  EXPECT_EQ(run({"check", (temp / "a1.conf").string()}), kDone);
  EXPECT_THAT(printed, Not(HasSubstr("tests")));
}

}  // namespace
}  // namespace millrace
