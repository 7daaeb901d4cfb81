#include "config/external_filter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "config/agent_config.h"
#include "config/properties.h"
#include "io/temp_folder.h"

namespace millrace {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ExternalFilterTest : public testing::Test {
 protected:
  // A program that runs `lines` in a shell; $1 is the key.
  std::string program(const std::string& lines) {
    const std::filesystem::path path = folder.path() / ("p" + std::to_string(programs++));
    std::ofstream(path) << "#!/bin/sh\n" << lines << "\n";
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path.string();
  }
  Result<std::optional<std::string>> look_up(const PropertySection& keys,
                                             std::string_view key = "db.password") {
    const auto filter = make_config_filter("f1", "External", keys, {}, diagnostics);
    EXPECT_TRUE(filter) << diagnostics.to_string();
    return filter->look_up(key);
  }
  std::string trouble(const std::string& lines) {
    const std::string path = program(lines);
    const auto value = look_up({{"command", path}, {"timeout", "5000"}});
    EXPECT_FALSE(value.ok());
    return value.ok() ? "" : value.error().message();
  }

  TempFolder folder;
  int programs = 0;
  Diagnostics diagnostics;
};

TEST_F(ExternalFilterTest, TheFirstLineIsTheValue) {
  const std::string path = program("echo \"$1,$2,$3\"; echo more") + "  --from   vault";
  const auto value = look_up({{"command", path}}, "the-key");
  ASSERT_TRUE(value.ok());
  EXPECT_EQ(value.value(), "--from,vault,the-key");
}

TEST_F(ExternalFilterTest, ReadsItsCharset) {
  const std::string path = program("printf 'caf\\351\\n'");
  EXPECT_EQ(look_up({{"command", path}, {"charset", "iso-8859-1"}}).value(), "caf\u00e9");
  EXPECT_THAT(look_up({{"command", path}}).error().message(), HasSubstr("prints what is no UTF-8"));
  EXPECT_THAT(look_up({{"command", path}, {"charset", "US-ASCII"}}).error().message(),
              HasSubstr("prints what is no US-ASCII"));
}

TEST_F(ExternalFilterTest, FaultsAreNamedAndShowNothingThatWasPrinted) {
  EXPECT_THAT(trouble("echo hunter2; echo no such key >&2; exit 3"),
              AllOf(HasSubstr("exited with status 3: no such key"), Not(HasSubstr("hunter2"))));
  EXPECT_THAT(trouble("exit 0"), HasSubstr("prints nothing"));
  EXPECT_THAT(look_up({{"command", "/not/there"}}).error().message(), HasSubstr("/not/there"));
}

TEST_F(ExternalFilterTest, OneThatDoesNotEndIsKilled) {
  const std::string path = program("exec sleep 600");
  const auto began = std::chrono::steady_clock::now();
  EXPECT_THAT(look_up({{"command", path}, {"timeout", "50"}}).error().message(),
              HasSubstr("has not ended after 50 ms"));
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(60));
}

TEST_F(ExternalFilterTest, ItsKeysAreChecked) {
  EXPECT_FALSE(make_config_filter("f1", "org.apache.flume.configfilter.ExternalProcessConfigFilter",
                                  {{"charset", "EBCDIC"}, {"timeout", "0"}}, {}, diagnostics));
  EXPECT_EQ(diagnostics.error_count(), 3u) << diagnostics.to_string();
  EXPECT_THAT(diagnostics.to_string(), HasSubstr("command: is required and missing"));
}

struct PortConfig {
  std::uint16_t port = 0;
  static constexpr auto fields() { return std::tuple{field("port", &PortConfig::port, "A port.")}; }
};

// Goal: a secret that the command gives is used, and no message shows it.
TEST_F(ExternalFilterTest, ValuesAreReplacedInTheAgentAndKeptSecret) {
  const std::string calls = (folder / "calls").string();
  const std::string path = program("echo call >> " + calls + R"(
case $1 in
  port) echo hunter2 ;;
  *) echo "said $1" >&2; exit 1 ;;
esac)");
  const PropertySection resolved = parse_properties(
      "a1.sources = r1\na1.channels = c1\na1.configfilters = f1\n"
      "a1.configfilters.f1.type = external\na1.configfilters.f1.command = " +
          path +
          "\na1.sources.r1.type = netcat\na1.sources.r1.channels = c1\n"
          "a1.sources.r1.port = ${f1[\"port\"]}\na1.sources.r1.bind = <${f1[port]}>\n"
          "a1.sources.r1.odd = ${f1['none']}\na1.channels.c1.type = memory\n",
      "a.conf", diagnostics);
  const auto agent = read_agent(resolved, "a1", {}, diagnostics);
  ASSERT_TRUE(agent);
  const PropertySection& source = agent->sources.at(0).properties;
  EXPECT_EQ(source.value_or("port", ""), "hunter2");
  EXPECT_EQ(source.value_or("bind", ""), "<hunter2>");
  EXPECT_EQ(source.value_or("odd", ""), "${f1['none']}");
  EXPECT_THAT(diagnostics.to_string(),
              HasSubstr("a.conf:10: error: a1.sources.r1.odd: ${f1['none']} stays as it is: "));
  EXPECT_THAT(diagnostics.to_string(), HasSubstr("exited with status 1: said none"));
  EXPECT_EQ(std::filesystem::file_size(calls), 2 * std::string_view("call\n").size());
  EXPECT_FALSE(bind<PortConfig>(source, diagnostics, common_source_keys()));
  EXPECT_THAT(diagnostics.to_string(),
              AllOf(HasSubstr("a1.sources.r1.port = \"${f1["), HasSubstr("expected a whole number"),
                    Not(HasSubstr("hunter2"))));
}

// Goal: the same where a message quotes a name, or a piece of a value, in its own words.
TEST_F(ExternalFilterTest, ValuesAreKeptSecretWhereTheyAreNames) {
  const std::string path = program("echo swordfish-$1");
  const PropertySection resolved = parse_properties(
      "a1.sources = r1\na1.channels = c1\na1.sinks = k1\na1.configfilters = f1\n"
      "a1.configfilters.f1.type = external\na1.configfilters.f1.command = " +
          path +
          "\na1.sources.r1.type = netcat\na1.sources.r1.channels = c1 ${f1[a]}\n"
          "a1.sinks.k1.type = null\na1.sinks.k1.channel = x${f1[b]}\na1.channels.c1.type = "
          "memory\n",
      "a.conf", diagnostics);
  read_agent(resolved, "a1", {}, diagnostics);
  EXPECT_THAT(
      diagnostics.to_string(),
      AllOf(HasSubstr("channel ${f1[a]} is not in the active set"),
            HasSubstr("channel x${f1[b]} is not in the active set"), Not(HasSubstr("swordfish"))));
}

}  // namespace
}  // namespace millrace
