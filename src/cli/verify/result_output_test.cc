#include "cli/verify/result_output.h"

#include <gtest/gtest.h>

namespace millrace {
namespace {

VerifyResult sample() {
  VerifyResult result;
  result.hammers = {
      {"soak", 0, Tally{.total = 1000}},
      {"soak", 10,
       Tally{
           .total = 990, .lost = 10, .dups = 2, .retried = 3, .lost_examples = {{4, 4}, {7, 12}}}}};
  result.files = 3;
  result.range_was_sent = true;
  return result;
}

TEST(VerifyOutput, HasALineAHammerAndTheSums) {
  EXPECT_EQ(to_text(sample()),
            "hammer-0: total=1000 lost=0 dups=0 retried=0\n"
            "hammer-10: total=990 lost=10 dups=2 retried=3\n"
            "grand total=1990 lost=10 dups=2 retried=3\n");
}

TEST(VerifyOutput, SaysWhatElseWasThere) {
  VerifyResult result = sample();
  result.hammers[0].tally.unknown = 4;
  result.hammers[1].run = "other";
  result.cut = 1;
  result.other = 2;
  EXPECT_EQ(to_text(result),
            "hammer-0 (run soak): total=1000 lost=0 dups=0 retried=0 unknown=4\n"
            "hammer-10 (run other): total=990 lost=10 dups=2 retried=3\n"
            "grand total=1990 lost=10 dups=2 retried=3 unknown=4 cut=1 other=2\n");
}

TEST(VerifyOutput, RemarksNameLossesAndFiles) {
  VerifyResult result = sample();
  result.notes = {{"/out/a", 77, "/out/a at byte 77: torn"}};
  result.note_count = 3;
  result.other_runs = 5;
  result.range_was_sent = false;
  EXPECT_EQ(remarks(result),
            "hammer-10: lost 4, 7..12, ...\n/out/a at byte 77: torn\nand 2 more of these\n"
            "5 events of other runs were left out\n"
            "without --sent, what is missing behind a hammer's highest number does not show\n");
  EXPECT_EQ(remarks(VerifyResult{}), "");
}

TEST(VerifyOutput, IsJson) {
  VerifyResult result = sample();
  result.notes = {{"/out/\"a\"", 77, "torn\n"}};
  const std::string json = to_json(result);
  EXPECT_NE(json.find(R"({"run": "soak", "hammer": 10, "total": 990, "lost": 10, "dups": 2, )"
                      R"("retried": 3, "unknown": 0, "lost_examples": [[4, 4], [7, 12]]})"),
            std::string::npos)
      << json;
  EXPECT_NE(json.find(R"({"file": "/out/\"a\"", "offset": 77, "text": "torn\u000a"})"),
            std::string::npos)
      << json;
  EXPECT_NE(json.find("\"total\": 1990,\n  \"lost\": 10,"), std::string::npos) << json;
}

TEST(VerifyOutput, IsJunit) {
  const std::string xml = to_junit(sample());
  EXPECT_NE(xml.find("tests=\"2\" failures=\"1\""), std::string::npos) << xml;
  EXPECT_NE(xml.find("name=\"hammer-10 (run soak)\">\n"
                     "    <failure message=\"lost=10\">lost 4, 7..12, ...</failure>"),
            std::string::npos)
      << xml;
}

}  // namespace
}  // namespace millrace
