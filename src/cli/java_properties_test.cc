#include "cli/java_properties.h"

#include <gtest/gtest.h>

namespace millrace {
namespace {

std::string idle(std::map<std::string, std::string> properties,
                 const std::set<std::string, std::less<>>& referenced = {}) {
  JavaFlags java;
  java.properties = std::move(properties);
  Diagnostics diagnostics;
  report_idle_properties(java, referenced, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors());
  return diagnostics.to_string();
}

RootLogger logger(const std::string& value) {
  JavaFlags java;
  java.properties["flume.root.logger"] = value;
  return root_logger(java);
}

TEST(JavaProperties, ThoseThatActAreTakenInSilence) {
  EXPECT_EQ(idle({{"flume.root.logger", "INFO,console"},
                  {"flume.monitoring.type", "http"},
                  {"flume.monitoring.port", "1"},
                  {"javax.net.ssl.keyStore", "x"},
                  {"propertiesImplementation", "x"},
                  {"user.timezone", "UTC"},
                  {"mine", "x"}},
                 {"sys:mine"}),
            "");
}

TEST(JavaProperties, OthersAreNamedOnceWithTheReasonAndNeverTheirValue) {
  EXPECT_EQ(idle({{"log4j2.configurationFile", "x"}}),
            "warning: -Dlog4j2.configurationFile: has no effect; logs go to stderr, and "
            "-Dflume.root.logger=LEVEL sets their level\n");
  EXPECT_EQ(idle({{"java.net.preferIPv4Stack", "true"}}),
            "warning: -Djava.net.preferIPv4Stack: has no effect; there is no JVM\n");
  EXPECT_EQ(idle({{"javax.net.ssl.trustStorePassword", "secret"}}).find("secret"),
            std::string::npos);
  EXPECT_EQ(idle({{"mine", "x"}}, {"mine", "sys:other"}),
            "warning: -Dmine: has no effect; no value refers to ${sys:mine}\n");
}

TEST(JavaProperties, MisspeltOnesGetTheNearest) {
  EXPECT_EQ(idle({{"flume.monitoring.tpye", "http"}}),
            "warning: -Dflume.monitoring.tpye: has no effect; did you mean "
            "\"flume.monitoring.type\"?\n");
}

TEST(RootLogger, TakesTheLevelsOfLog4j) {
  EXPECT_EQ(root_logger({}).level, LogLevel::kInfo);
  EXPECT_EQ(logger("DEBUG,console").level, LogLevel::kDebug);
  EXPECT_EQ(logger("trace").level, LogLevel::kDebug);
  EXPECT_EQ(logger("INFO,console").level, LogLevel::kInfo);
  EXPECT_EQ(logger("WARN, LOGFILE, console").level, LogLevel::kWarning);
  EXPECT_EQ(logger("WARN, LOGFILE, console").note, "");
  EXPECT_EQ(logger("FATAL").level, LogLevel::kError);
  EXPECT_EQ(logger("OFF").level, LogLevel::kOff);
}

TEST(RootLogger, SaysWhatItDoesNotKnow) {
  EXPECT_EQ(logger("ERROR,LOGFILE").level, LogLevel::kError);
  EXPECT_NE(logger("ERROR,LOGFILE").note.find("stderr"), std::string::npos);
  EXPECT_EQ(logger("LOUD").level, LogLevel::kInfo);
  EXPECT_NE(logger("LOUD").note.find("\"LOUD\" is no level"), std::string::npos);
}

}  // namespace
}  // namespace millrace
