#include "cli/agent_options.h"

#include <gtest/gtest.h>

namespace millrace {
namespace {

using ::testing::internal::CaptureStderr;
using ::testing::internal::GetCapturedStderr;

// Java flags are taken out first, as the program does.
CommandLine line_of(std::vector<std::string> arguments) {
  CommandLine line;
  line.java = take_java_flags(arguments).value();
  line.arguments = std::move(arguments);
  return line;
}

AgentOptions parsed(const std::vector<std::string>& arguments) {
  int status = -1;
  const auto options = parse_agent_options(line_of(arguments), status);
  EXPECT_TRUE(options) << "status " << status;
  return options.value_or(AgentOptions{});
}

int refused(const std::vector<std::string>& arguments, std::string_view text) {
  int status = -1;
  CaptureStderr();
  EXPECT_FALSE(parse_agent_options(line_of(arguments), status));
  const std::string said = GetCapturedStderr();
  EXPECT_NE(said.find(text), std::string::npos) << said;
  return status;
}

TEST(AgentOptions, TakesFlumesFlags) {
  const AgentOptions options =
      parsed({"--conf", "/etc/flume/conf", "-n", "a1", "-f", "one.conf", "--conf-file", "two.conf",
              "--no-reload-conf", "-C", "/opt/x.jar", "--plugins-path", "/opt/plugins", "-Xmx512m",
              "-Xms64m", "-Dflume.root.logger=DEBUG,console", "-i", "30"});
  EXPECT_EQ(options.name, "a1");
  EXPECT_EQ(options.files, (std::vector<std::string>{"one.conf", "two.conf"}));
  EXPECT_EQ(options.log_level, LogLevel::kDebug);
  EXPECT_FALSE(options.monitoring);
  EXPECT_EQ(options.drain, std::chrono::seconds(10));
  ASSERT_EQ(options.notes.size(), 4u);  // -i, -C, --plugins-path, -Xms64m.
  EXPECT_NE(options.notes[0].find("restart"), std::string::npos);
}

TEST(AgentOptions, UrisReplaceFiles) {
  const AgentOptions options = parsed({"-n", "a", "-f", "x", "-u", "file:///etc/a.conf", "-u",
                                       "file:/b", "-u", "file://localhost/c"});
  EXPECT_EQ(options.files, (std::vector<std::string>{"/etc/a.conf", "/b", "/c"}));
  EXPECT_EQ(options.notes.size(), 1u);
  EXPECT_EQ(refused({"-n", "a", "-u", "http://host/a"}, "only file: is built in yet"),
            kFailedAtWork);
}

TEST(AgentOptions, NamesWhatIsNotBuiltIn) {
  EXPECT_EQ(refused({"-n", "a", "-z", "h:2181"}, "ZooKeeper"), kFailedAtWork);
  EXPECT_EQ(refused({"-n", "a", "-prov", "x.Y"}, "--conf-provider"), kFailedAtWork);
  EXPECT_EQ(refused({"-n", "a", "-f", "x", "-user", "u", "-pwd", "p"}, "password"), kFailedAtWork);
}

TEST(AgentOptions, RefusesWhatIsIncomplete) {
  EXPECT_EQ(refused({"-f", "x"}, "--name"), kBadUsage);
  EXPECT_EQ(refused({"-n", "a"}, "--conf-file"), kBadUsage);
  EXPECT_EQ(refused({"-n", "a", "-f", "x", "--dryrun"}, "check"), kBadUsage);
  EXPECT_EQ(refused({"-n", "a", "-f", "x", "--drain-time", "-1"}, "--drain-time"), kBadUsage);
  EXPECT_EQ(refused({"-n", "a", "-f", "x", "--http", "x:y"}, "--http"), kBadUsage);
}

TEST(AgentOptions, MonitoringIsAskedForInEitherWay) {
  const auto flume = parsed({"-n", "a", "-f", "x", "-Dflume.monitoring.type=http"}).monitoring;
  ASSERT_TRUE(flume);
  EXPECT_EQ(flume->host, "");
  EXPECT_EQ(flume->port, 41414);
  EXPECT_TRUE(flume->flume_json);
  const auto prometheus = parsed({"-n", "a", "-f", "x", "-Dflume.monitoring.type=prometheus",
                                  "-Dflume.monitoring.port=9000"})
                              .monitoring;
  ASSERT_TRUE(prometheus);
  EXPECT_EQ(prometheus->port, 9000);
  EXPECT_FALSE(prometheus->flume_json);
  EXPECT_EQ(parsed({"-n", "a", "-f", "x", "-Dflume.monitoring.type=ganglia"}).notes.size(), 1u);
  EXPECT_EQ(
      refused({"-n", "a", "-f", "x", "-Dflume.monitoring.type=http", "-Dflume.monitoring.port=x"},
              "flume.monitoring.port"),
      kBadUsage);
}

TEST(AgentOptions, HttpAddressesAreLoopbackUnlessGiven) {
  const auto address = [](const std::string& text) {
    const Result<MonitoringSettings> settings = parse_http_address(text);
    return settings.ok() ? settings.value().host + "|" + std::to_string(settings.value().port)
                         : "bad";
  };
  EXPECT_EQ(address("8080"), "127.0.0.1|8080");
  EXPECT_EQ(address(":8080"), "127.0.0.1|8080");
  EXPECT_EQ(address("0.0.0.0:80"), "0.0.0.0|80");
  EXPECT_EQ(address("[::1]:80"), "::1|80");
  for (const char* bad : {"", ":", "host", "host:", "::1:80", "h:70000", "h:80x"}) {
    EXPECT_EQ(address(bad), "bad") << bad;
  }
}

}  // namespace
}  // namespace millrace
