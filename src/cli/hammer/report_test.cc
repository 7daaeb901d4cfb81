#include "cli/hammer/report.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace millrace {
namespace {

HammerReport sample() {
  HammerReport report{"soak-1", "netcat", 300, 12.25, false, {}};
  report.hammers = {FlowReport{0, 0, 1000, 1000, 0, 0, 0, {}},
                    FlowReport{1, 5, 2000, 1990, 7, 3, 1, {{17, 20}, {1999, 1999}}}};
  return report;
}

std::string golden() {
  std::ifstream file(MILLRACE_SOURCE_DIR "/tests/golden/hammer-report/1.json");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(HammerReport, IsWhatTheGoldenFileHas) {
  EXPECT_EQ(to_json(sample()), golden());
}

TEST(HammerReport, ReadsTheGoldenFile) {
  const Result<HammerReport> report = parse_hammer_report(golden());
  ASSERT_TRUE(report.ok()) << report.error().message();
  EXPECT_EQ(report.value().run, "soak-1");
  EXPECT_EQ(report.value().protocol, "netcat");
  EXPECT_EQ(report.value().bytes, 300u);
  EXPECT_EQ(report.value().seconds, 12.25);
  EXPECT_FALSE(report.value().complete);
  ASSERT_EQ(report.value().hammers.size(), 2u);
  const FlowReport& flow = report.value().hammers[1];
  EXPECT_EQ(flow.hammer, 1u);
  EXPECT_EQ(flow.first, 5u);
  EXPECT_EQ(flow.next, 2000u);
  EXPECT_EQ(flow.acknowledged, 1990u);
  EXPECT_EQ(flow.unsettled, (std::vector<Interval>{{17, 20}, {1999, 1999}}));
}

TEST(HammerReport, RefusesWhatItCannotHaveWritten) {
  const std::string good = golden();
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  };
  for (const std::string& bad :
       {std::string(), std::string("[]"), good.substr(0, good.size() / 2),
        replaced("report-1", "report-2"), replaced("\"run\"", "\"runs\""),
        replaced("\"first\": 5", "\"first\": 3000"), replaced("\"first\": 5", "\"first\": -5"),
        replaced("\"complete\": false", "\"complete\": 0"), replaced("[17, 20]", "[20, 17]"),
        replaced("[17, 20]", "[17]"), replaced("[17, 20]", "[17, 1999]"),
        replaced("[1999, 1999]", "[1999, 2000]"), replaced("[1999, 1999]", "[-1, 1999]")}) {
    const Result<HammerReport> report = parse_hammer_report(bad);
    ASSERT_FALSE(report.ok()) << bad;
    EXPECT_EQ(report.error().fault(), Fault::kCorrupt);
  }
}

}  // namespace
}  // namespace millrace
