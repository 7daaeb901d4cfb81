#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>

#include "cli/cli.h"
#include "cli/configuration.h"
#include "cli/options.h"

namespace millrace {
namespace {

using ::testing::internal::CaptureStderr;
using ::testing::internal::CaptureStdout;
using ::testing::internal::GetCapturedStderr;
using ::testing::internal::GetCapturedStdout;

TEST(Commands, OverviewNamesEachAndHowTheyDiffer) {
  CaptureStdout();
  EXPECT_EQ(run_program({"help"}), kDone);
  const std::string text = GetCapturedStdout();
  for (const Command& command : commands()) {
    if (!command.summary.empty()) {
      EXPECT_NE(text.find("  " + std::string(command.name) + " "), std::string::npos) << text;
    }
  }
  for (const char* name : {"check  ", "test  ", "verify  ", "channel verify  ", "validate  "}) {
    EXPECT_NE(text.find(name), std::string::npos) << name;
  }
}

TEST(Commands, EachOneDescribesItself) {
  for (const Command& command : commands()) {
    CaptureStdout();
    EXPECT_EQ(run_program({"help", std::string(command.name)}), kDone) << command.name;
    EXPECT_FALSE(GetCapturedStdout().empty()) << command.name;
  }
}

TEST(Commands, AnUnknownOneGetsTheNearest) {
  CaptureStderr();
  EXPECT_EQ(run_program({"hamer"}), kBadUsage);
  EXPECT_NE(GetCapturedStderr().find("did you mean \"hammer\"?"), std::string::npos);
  CaptureStderr();
  EXPECT_EQ(run_program({"xyzzyx"}), kBadUsage);
  EXPECT_EQ(GetCapturedStderr().find("did you mean"), std::string::npos);
}

TEST(Commands, NoneIsBadUsage) {
  CaptureStdout();
  EXPECT_EQ(run_program({}), kBadUsage);
  EXPECT_NE(GetCapturedStdout().find("Usage: millrace"), std::string::npos);
}

TEST(Commands, OnesToComeAreSaidToBe) {
  for (const char* name : {"avro-client", "top"}) {
    CaptureStderr();
    EXPECT_EQ(run_program({name, "--help"}), kFailedAtWork);
    EXPECT_NE(GetCapturedStderr().find("not built in yet"), std::string::npos);
  }
}

TEST(Commands, VersionIsPrinted) {
  CaptureStdout();
  EXPECT_EQ(run_program({"--version"}), kDone);
  EXPECT_TRUE(GetCapturedStdout().starts_with("Millrace "));
}

TEST(Commands, HammerRefusesWhatDoesNotGoTogether) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--size", "20"},
                                                    {"--ports", "10001,x"},
                                                    {"--ports", "1,2", "-N", "3"},
                                                    {"--port", "65535", "-N", "2"},
                                                    {"--run-id", "a b"},
                                                    {"--protocol", "smtp"},
                                                    {"--count", "-1"},
                                                    {"--start", "999999999999", "--count", "2"},
                                                    {"--nonsense"}}) {
    std::vector<std::string> line{"hammer"};
    line.insert(line.end(), arguments.begin(), arguments.end());
    CaptureStderr();
    EXPECT_EQ(run_program(line), kBadUsage) << arguments[0];
    const std::string said = GetCapturedStderr();
    EXPECT_TRUE(said.starts_with("millrace hammer: ")) << said;
    EXPECT_NE(said.find(arguments[0]), std::string::npos) << said;
  }
}

// What a command says, without its last line, which points to --help.
std::string refusal(const std::vector<std::string>& arguments, int status = kBadUsage) {
  CaptureStderr();
  EXPECT_EQ(run_program(arguments), status);
  const std::string said = GetCapturedStderr();
  return said.substr(0, said.find('\n'));
}

TEST(Commands, SayWhatIsWrongInOneWay) {
  EXPECT_EQ(refusal({"check", "--naem", "a", "x"}),
            "millrace check: there is no option --naem; did you mean \"--name\"?");
  EXPECT_EQ(refusal({"verify", "--foo=1"}), "millrace verify: there is no option --foo");
  EXPECT_EQ(refusal({"agent", "a1", "b"}), "millrace agent: \"a1\" is one word too many");
  EXPECT_EQ(refusal({"agent", "-f", "x", "-n"}), "millrace agent: --name needs a value");
  EXPECT_EQ(refusal({"agent", "-n", "a", "-n", "b"}),
            "millrace agent: --name is given more than once");
  EXPECT_EQ(refusal({"verify", "--start", "x", "."}),
            "millrace verify: --start: \"x\" is no whole number from 0 to 999999999999");
  EXPECT_EQ(refusal({"agent", "--drain-time", "1h"}),
            "millrace agent: --drain-time: \"1h\" is no number from 0 to 86400");
  EXPECT_EQ(refusal({"hammer", "--protocol", "smtp"}),
            "millrace hammer: --protocol: \"smtp\" is none of syslog, netcat");
  EXPECT_EQ(refusal({"-n", "a1"}),
            "millrace: -n stands before a command: millrace COMMAND [OPTIONS]");
  EXPECT_EQ(refusal({"help", "agent", "check"}), "millrace help: one COMMAND at a time");
}

TEST(Commands, ComponentsTellUnknownFromNotBuiltIn) {
  EXPECT_EQ(refusal({"components", "netcta"}),
            "millrace components: there is no \"netcta\"; did you mean \"netcat\"?");
  EXPECT_EQ(refusal({"components", "hive"}, kFailedAtWork),
            "millrace components: \"hive\" of Flume is not built in yet");
}

TEST(Commands, VerifySaysThatAFileIsMissing) {
  CaptureStderr();
  EXPECT_EQ(run_program({"verify", "/nonexistent/file"}), kFailedAtWork);
  EXPECT_NE(GetCapturedStderr().find("/nonexistent/file"), std::string::npos);
}

// Figures that were cut off by a full disk are no success.
TEST(Commands, OutputThatCannotBeWrittenIsAFailure) {
  std::fflush(stdout);
  const int kept = ::dup(STDOUT_FILENO);
  const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
  ASSERT_GE(::dup2(full, STDOUT_FILENO), 0);
  CaptureStderr();
  const int status = run_program({"version"});
  ::dup2(kept, STDOUT_FILENO);
  std::clearerr(stdout);
  ::close(kept);
  ::close(full);
  EXPECT_EQ(status, kFailedAtWork);
  EXPECT_EQ(GetCapturedStderr(), "millrace: not all of the output could be written\n");
}

TEST(JavaFlags, TooLittleMemoryIsRaised) {
  JavaFlags flags;
  flags.most_memory_bytes = 1000;
  EXPECT_EQ(memory_budget(flags).bytes, std::size_t{16} << 20);
  flags.most_memory_bytes = 20u << 20;
  EXPECT_EQ(memory_budget(flags).bytes, 20u << 20);
  EXPECT_EQ(memory_budget(flags, 20).origin, "-Xmx");
  EXPECT_EQ(memory_budget(flags, 21).bytes, 21u << 20);
  EXPECT_EQ(memory_budget(flags, 21).origin,
            "the least that works with 21 sources; -Xmx asked for less");
}

TEST(JavaFlags, AreTakenOut) {
  std::vector<std::string> arguments{"-n",
                                     "a1",
                                     "-Dflume.monitoring.port=1=2",
                                     "-Xmx1g",
                                     "-Xs",
                                     "-Dx",
                                     "-agentlib:jdwp=1",
                                     "-f",
                                     "c",
                                     "--",
                                     "-Dy=1"};
  const Result<JavaFlags> flags = take_java_flags(arguments);
  ASSERT_TRUE(flags.ok());
  EXPECT_EQ(arguments, (std::vector<std::string>{"-n", "a1", "-f", "c", "--", "-Dy=1"}));
  EXPECT_EQ(*flags.value().find("flume.monitoring.port"), "1=2");
  EXPECT_EQ(*flags.value().find("x"), "");
  EXPECT_EQ(flags.value().find("y"), nullptr);
  EXPECT_EQ(flags.value().most_memory_bytes, 1u << 30);
  EXPECT_EQ(flags.value().ignored, (std::vector<std::string>{"-Xs", "-agentlib:jdwp=1"}));
}

TEST(JavaFlags, SizesAreReadAsJavaDoes) {
  const auto size_of = [](const std::string& text) {
    std::vector<std::string> arguments{"-Xmx" + text};
    const Result<JavaFlags> flags = take_java_flags(arguments);
    return flags.ok() ? flags.value().most_memory_bytes.value_or(0) : 0;
  };
  EXPECT_EQ(size_of("1000"), 1000u);
  EXPECT_EQ(size_of("20K"), 20u << 10);
  EXPECT_EQ(size_of("512m"), 512u << 20);
  EXPECT_EQ(size_of("1T"), 1ull << 40);
  for (const char* bad : {"", "m", "0", "12q", "12mb", "-5m", "99999999999999g"}) {
    EXPECT_EQ(size_of(bad), 0u) << bad;
  }
}

TEST(Options, KeepDefaultsAndSayWhatIsWrong) {
  std::uint64_t number = 7;
  std::vector<std::string> rest;
  Options options("test", "Tests.");
  options.number("--number", number, 1, 10, "A number.");
  options.rest("FILE", rest, 1, "Files.");
  EXPECT_EQ(options.parse({.arguments = {"a", "b"}}), std::nullopt);
  EXPECT_EQ(number, 7u);
  EXPECT_EQ(rest, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(options.parse({.arguments = {"a", "--number", "010"}}), std::nullopt);
  EXPECT_EQ(number, 10u);  // Not octal.
  CaptureStderr();
  EXPECT_EQ(options.parse({.arguments = {"a", "--number", "11"}}), kBadUsage);
  EXPECT_NE(GetCapturedStderr().find("--number"), std::string::npos);
  CaptureStderr();
  EXPECT_EQ(options.parse({.arguments = {}}), kBadUsage);
  EXPECT_NE(GetCapturedStderr().find("FILE"), std::string::npos);
}

}  // namespace
}  // namespace millrace
