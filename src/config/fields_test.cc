#include "config/fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace millrace {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;

struct SharedConfig {
  bool ssl = false;
  std::string password;

  static constexpr auto fields() {
    using C = SharedConfig;
    return std::tuple{
        field("ssl", &C::ssl, "Encrypts."),
        field("password", &C::password, "Opens the key store.").secret(),
    };
  }
};

struct ExampleConfig : SharedConfig {
  std::string host;
  std::uint16_t port = 0;
  std::uint32_t batch_size = 100;
  std::int64_t offset = -1;
  double share = 0.5;
  std::chrono::seconds roll{30};
  std::chrono::milliseconds wait{10};
  ByteCount limit{1024};
  std::filesystem::path directory = "/tmp";
  std::string policy = "round_robin";
  std::vector<std::string> names;
  std::map<std::string, std::string> mapping;
  PropertySection serializer;
  std::optional<std::int32_t> level;
  std::int32_t old = 0;

  static constexpr auto fields() {
    using C = ExampleConfig;
    return std::tuple_cat(
        SharedConfig::fields(),
        std::tuple{
            field("host", &C::host, "Where to connect.").required().example("10.0.0.1"),
            field("port", &C::port, "Port.").required().range(1, 65'535),
            field("batchSize", &C::batch_size, "Most events.").range(1, 1000).lenient(),
            field("offset", &C::offset, "Offset."),
            field("share", &C::share, "Share.").range(0, 1.5),
            field("rollInterval", &C::roll, "Roll.").range(0, 86'400),
            field("wait", &C::wait, "Wait."),
            field("limit", &C::limit, "Limit."),
            field("directory", &C::directory, "Folder."),
            field("policy", &C::policy, "Order.").choices({"round_robin", "random"}),
            field("names", &C::names, "Names."),
            field("mapping.", &C::mapping, "By value."),
            field("serializer.", &C::serializer, "Its keys."),
            field("level", &C::level, "Level."),
            field("old", &C::old, "Old.").deprecated("use \"offset\""),
            field("txnEventMax", &C::old, "Older.").ignored("batches form by what is there"),
        });
  }

  void check(ConfigCheck& check) const {
    if (port == batch_size) {
      check.fault("port", "must differ from batchSize");
    }
    if (ssl && password.empty()) {
      check.warn("password", "is empty");
    }
    if (password == "abc") {
      check.fault("password", "is too short");
    }
  }
};

class FieldsTest : public ::testing::Test {
 protected:
  // The given entries as lines 11, 12, … of a.conf, below a1.sinks.k1, with host and port before.
  std::optional<ExampleConfig> bind_with(std::vector<std::pair<std::string, std::string>> extra) {
    extra.insert(extra.begin(), {{"host", "h"}, {"port", "4141"}});
    return bind_only(extra);
  }
  std::optional<ExampleConfig> bind_only(
      const std::vector<std::pair<std::string, std::string>>& entries) {
    std::vector<Property> properties;
    std::size_t line = 9;
    PropertySection section("a1.sinks.k1.", {});
    for (const auto& entry : entries) {
      section.set({entry.first, entry.second, "a.conf", line, "a1.sinks.k1." + entry.first});
      ++line;
    }
    return bind<ExampleConfig>(section, diagnostics, common_sink_keys());
  }
  // bind_with() must fail with just this line.
  void expect_error(const std::string& key, const std::string& value, const std::string& line) {
    diagnostics = {};
    EXPECT_FALSE(bind_with({{key, value}}).has_value()) << key << " = " << value;
    EXPECT_EQ(diagnostics.to_string(), line + "\n");
  }

  Diagnostics diagnostics;
};

TEST_F(FieldsTest, ReadsEveryType) {
  const auto config = bind_with({{"ssl", " TRUE "},
                                 {"password", "abcdef"},
                                 {"batchSize", " 7\t"},
                                 {"offset", "-9223372036854775808"},
                                 {"share", "+1.25"},
                                 {"rollInterval", "0"},
                                 {"wait", "250"},
                                 {"limit", "18446744073709551615"},
                                 {"directory", "/var/out put"},
                                 {"policy", "RANDOM"},
                                 {"names", "  a \t b  c "},
                                 {"mapping.x", "c1 c2"},
                                 {"mapping.y.z", "c3"},
                                 {"serializer.codec", "snappy"},
                                 {"level", "+3"}});
  ASSERT_TRUE(config.has_value()) << diagnostics.to_string();
  EXPECT_EQ(diagnostics.to_string(), "");
  EXPECT_TRUE(config->ssl);
  EXPECT_EQ(config->host, "h");
  EXPECT_EQ(config->port, 4141);
  EXPECT_EQ(config->batch_size, 7U);
  EXPECT_EQ(config->offset, std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(config->share, 1.25);
  EXPECT_EQ(config->roll, std::chrono::seconds(0));
  EXPECT_EQ(config->wait, std::chrono::milliseconds(250));
  EXPECT_EQ(config->limit.value, 18446744073709551615U);
  EXPECT_EQ(config->directory, "/var/out put");
  EXPECT_EQ(config->policy, "random");
  EXPECT_THAT(config->names, ElementsAre("a", "b", "c"));
  EXPECT_THAT(config->mapping, ElementsAre(Pair("x", "c1 c2"), Pair("y.z", "c3")));
  ASSERT_NE(config->serializer.find("codec"), nullptr);
  EXPECT_EQ(config->serializer.find("codec")->full_key, "a1.sinks.k1.serializer.codec");
  EXPECT_EQ(config->serializer.prefix(), "a1.sinks.k1.serializer.");
  EXPECT_EQ(config->level, 3);
}

TEST_F(FieldsTest, KeepsDefaultsOfAbsentKeys) {
  const auto config = bind_with({});
  ASSERT_TRUE(config.has_value());
  EXPECT_EQ(config->batch_size, 100U);
  EXPECT_EQ(config->policy, "round_robin");
  EXPECT_FALSE(config->level.has_value());
}

TEST_F(FieldsTest, SaysWhatANumberHasToBe) {
  expect_error("port", "21041 # main listener",
               "a.conf:11: error: a1.sinks.k1.port = \"21041 # main listener\": expected a whole "
               "number from 1 to 65535; a comment behind a value is part of the value: give it a "
               "line of its own");
  expect_error(
      "port", "0",
      "a.conf:11: error: a1.sinks.k1.port = \"0\": expected a whole number from 1 to 65535");
  expect_error("port", "99999999999999999999",
               "a.conf:11: error: a1.sinks.k1.port = \"99999999999999999999\": expected a whole "
               "number from 1 to 65535");
  expect_error("port", "0x10",
               "a.conf:11: error: a1.sinks.k1.port = \"0x10\": expected a whole number from 1 to "
               "65535");
  expect_error("offset", "9223372036854775808",
               "a.conf:11: error: a1.sinks.k1.offset = \"9223372036854775808\": expected a whole "
               "number from -9223372036854775808 to 9223372036854775807");
  expect_error("offset", "1.5",
               "a.conf:11: error: a1.sinks.k1.offset = \"1.5\": expected a whole number");
  expect_error("rollInterval", "-1",
               "a.conf:11: error: a1.sinks.k1.rollInterval = \"-1\": expected a whole number of "
               "seconds from 0 to 86400");
  expect_error("limit", "-1",
               "a.conf:11: error: a1.sinks.k1.limit = \"-1\": expected a whole number of bytes "
               "from 0 to 18446744073709551615");
  expect_error("share", "nan",
               "a.conf:11: error: a1.sinks.k1.share = \"nan\": expected a number from 0 to 1.5");
  expect_error("level", "-",
               "a.conf:11: error: a1.sinks.k1.level = \"-\": expected a whole number");
  expect_error("policy", "randm",
               "a.conf:11: error: a1.sinks.k1.policy = \"randm\": expected one of round_robin or "
               "random");
}

TEST_F(FieldsTest, TakesAVeryLongTimeAsForEver) {
  const auto config = bind_with({{"wait", "9223372036854775807"}});
  ASSERT_TRUE(config.has_value());
  EXPECT_EQ(config->wait, std::chrono::hours(24 * 365 * 100));
}

TEST_F(FieldsTest, TakesAnyOtherBooleanAsFalseAndSaysSo) {
  const auto config = bind_with({{"ssl", "yes"}});
  ASSERT_TRUE(config.has_value());
  EXPECT_FALSE(config->ssl);
  EXPECT_EQ(diagnostics.to_string(),
            "a.conf:11: warning: a1.sinks.k1.ssl = \"yes\": expected true or false, and is taken "
            "as false\n");
}

TEST_F(FieldsTest, ReportsAllFaultsAtOnce) {
  EXPECT_FALSE(bind_only({{"type", "x"}, {"prot", "1"}, {"offset", "z"}, {"share", "2"}}));
  EXPECT_EQ(diagnostics.error_count(), 4U);
  EXPECT_EQ(diagnostics.to_string(),
            "a.conf:9: error: a1.sinks.k1.host: is required and missing\n"
            "a.conf:9: error: a1.sinks.k1.port: is required and missing\n"
            "a.conf:11: error: a1.sinks.k1.offset = \"z\": expected a whole number\n"
            "a.conf:12: error: a1.sinks.k1.share = \"2\": expected a number from 0 to 1.5\n"
            "a.conf:10: warning: a1.sinks.k1.prot: is not a key of this component and has no "
            "effect; did you mean \"port\"?\n");
}

TEST_F(FieldsTest, LenientFieldsFallBackToTheirDefault) {
  const auto config = bind_with({{"batchSize", "0"}});
  ASSERT_TRUE(config.has_value());
  EXPECT_EQ(config->batch_size, 100U);
  EXPECT_EQ(diagnostics.to_string(),
            "a.conf:11: warning: a1.sinks.k1.batchSize = \"0\": expected a whole number from 1 to "
            "1000: the default 100 is used\n");
}

TEST_F(FieldsTest, CommonKeysAreKnownAndFarKeysGetNoHint) {
  EXPECT_TRUE(bind_with({{"type", "x"},
                         {"channel", "c1"},
                         {"dead-letter.directory", "/d"},
                         {"something.else", "1"}}));
  EXPECT_EQ(diagnostics.to_string(),
            "a.conf:14: warning: a1.sinks.k1.something.else: is not a key of this component and "
            "has no effect\n");
}

TEST_F(FieldsTest, WarnsOfIgnoredAndOldKeys) {
  const auto config = bind_with({{"txnEventMax", "5"}, {"old", "6"}});
  ASSERT_TRUE(config.has_value());
  EXPECT_EQ(config->old, 6);
  EXPECT_EQ(diagnostics.to_string(),
            "a.conf:12: warning: a1.sinks.k1.old = \"6\": is an old key; use \"offset\"\n"
            "a.conf:11: warning: a1.sinks.k1.txnEventMax = \"5\": has no effect; batches form by "
            "what is there\n");
}

TEST_F(FieldsTest, RunsRulesAcrossFields) {
  EXPECT_FALSE(bind_with({{"port", "100"}, {"ssl", "true"}}));
  EXPECT_EQ(diagnostics.to_string(),
            "a.conf:11: error: a1.sinks.k1.port = \"100\": must differ from batchSize\n"
            "a.conf:9: warning: a1.sinks.k1.password: is empty\n");
}

TEST_F(FieldsTest, NoRuleSpeaksOfAKeyThatIsAlreadyBad) {
  EXPECT_FALSE(bind_only({{"host", "h"}, {"port", "x"}, {"batchSize", "100"}}));
  EXPECT_EQ(diagnostics.error_count(), 1U);
}

TEST_F(FieldsTest, NeverPrintsASecret) {
  EXPECT_FALSE(bind_with({{"password", "abc"}, {"passwort", "hunter2"}}));
  EXPECT_THAT(diagnostics.to_string(), HasSubstr("a1.sinks.k1.password: is too short"));
  EXPECT_THAT(diagnostics.to_string(), Not(HasSubstr("abc")));
  EXPECT_THAT(diagnostics.to_string(), Not(HasSubstr("hunter2")));
}

TEST_F(FieldsTest, DescribesEachField) {
  const std::vector<FieldDescription> all = describe<ExampleConfig>();
  ASSERT_EQ(all.size(), 18U);
  EXPECT_EQ(all[0].key, "ssl");
  EXPECT_EQ(all[0].default_text, "false");
  EXPECT_TRUE(all[1].secret);
  EXPECT_EQ(all[2].example, "10.0.0.1");
  EXPECT_TRUE(all[3].required);
  EXPECT_EQ(all[3].range, "1 to 65535");
  EXPECT_EQ(all[3].default_text, "");
  EXPECT_EQ(all[6].range, "0 to 1.5");
  EXPECT_EQ(all[7].type, "seconds");
  EXPECT_EQ(all[7].default_text, "30");
  EXPECT_THAT(all[11].choices, ElementsAre("round_robin", "random"));
  EXPECT_TRUE(all[13].is_prefix);
  EXPECT_EQ(all[15].type, "whole number");
}

TEST(PropertySectionTest, IsMadeFromAList) {
  const PropertySection section{{"port", "1"}, {"host", "x"}, {"port", "2"}};
  ASSERT_EQ(section.entries().size(), 2U);
  EXPECT_EQ(section.find("port")->value, "2");
  EXPECT_EQ(section.value_or("host", "y"), "x");
  EXPECT_EQ(section.value_or("none", "y"), "y");
  EXPECT_EQ(section.find("por"), nullptr);
}

TEST(PropertySectionTest, ComparesKeysAndValuesOnly) {
  const PropertySection a{{"port", "1"}, {"host", "x"}};
  EXPECT_EQ(a, (PropertySection{{"host", "x"}, {"port", "1"}}));
  EXPECT_FALSE(a == (PropertySection{{"host", "x"}}));
}

TEST(DiagnosticTest, StaysOneLine) {
  const Diagnostic diagnostic{
      Severity::kError, "f", 0, "k", std::string(300, 'x') + "\n", "m\n", ""};
  EXPECT_EQ(diagnostic.to_string(), "f: error: k = \"" + std::string(200, 'x') + "...\": m\\x0a");
}

}  // namespace
}  // namespace millrace
