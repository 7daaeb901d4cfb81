#include "source/syslog/custom_format.h"

#include "source/syslog/syslog_indexer_fixture.h"

namespace millrace {
namespace {

class CustomFormatTest : public SyslogIndexerFixture {};

TEST_F(CustomFormatTest, IsTriedFirst) {
  SyslogDialect dialect = pattern();
  dialect.custom =
      CustomFormat::compile(
          {"<(\\d+)>(\\d?) ?(\\d{4}/\\d\\d/\\d\\d \\d\\d:\\d\\d:\\d\\d Z) (\\w+)\\|(.*)", "Z",
           "+0100", "yyyy/MM/dd HH:mm:ss Z"})
          .value();
  const Made own = only_event_of(dialect, "<34>2012/04/13 11:11:11 Z box|hello there\n");
  EXPECT_EQ(own.headers, (Headers{{"Facility", "4"},
                                  {"Severity", "2"},
                                  {"priority", "34"},
                                  {"timestamp", "1334311871000"},
                                  {"host", "box"}}));
  EXPECT_EQ(own.body, "hello there");
  EXPECT_EQ(only_event_of(dialect, "<34>Nov  3 22:14:15 h one\n").headers.at("host"), "h");
  EXPECT_FALSE(CustomFormat::compile({"(unclosed", "", "", ""}).ok());
  EXPECT_FALSE(CustomFormat::compile({".*", "", "", "yyyy-QQ"}).ok());
}

// Flume's own is java.util.regex: a look-behind, a possessive quantifier, a named group.
TEST_F(CustomFormatTest, ReadsExpressionsAsJava) {
  SyslogDialect dialect = pattern();
  dialect.custom = CustomFormat::compile({"<(\\d++)>()(\\S+) (?<host>\\w+): (.*(?<!;));?",
                                          "(\\d+)h(\\d+)", "$1:$2 +0000", "yyyy-MM-dd'T'HH:mm Z"})
                       .value();
  const Made own = only_event_of(dialect, "<34>2012-04-13T11h12 box: \xff text\xc3;\n");
  EXPECT_EQ(own.headers.at("timestamp"), "1334315520000");
  EXPECT_EQ(own.headers.at("host"), "box");
  EXPECT_EQ(own.body, "\xff text\xc3");  // The bytes that came.
  EXPECT_FALSE(CustomFormat::compile({"(a", "", "", ""}).ok());
  EXPECT_FALSE(CustomFormat::compile({"a", "(b", "", ""}).ok());
  EXPECT_FALSE(CustomFormat::compile({"a", "b", "$1", ""}).ok());
}

// Goal: no line and no pattern takes the source down or stalls it: the built-in formats have what a
// pattern gives up on.
TEST_F(CustomFormatTest, SurvivesLongLinesAndCostlyPatterns) {
  SyslogDialect dialect = pattern();
  dialect.custom = CustomFormat::compile({"<(\\d+)>(\\d)?(x)?(y)?((?:.|a)*)", "", "", ""}).value();
  for (const std::size_t size : {std::size_t{4096}, std::size_t{1} << 20}) {
    const std::string line = "<34>" + std::string(size - 5, 'a') + "\n";
    const Made made = only_event_of(dialect, line, std::size_t{2} << 20);
    EXPECT_TRUE(made.body.size() == size - 5 || made.body.size() == size - 1) << made.body.size();
    EXPECT_EQ(made.headers.at("Severity"), "2");
  }
  dialect.custom = CustomFormat::compile({"<(\\d+)>(a+a+)+z", "", "", ""}).value();
  const Made made = only_event_of(dialect, "<34>" + std::string(60, 'a') + "\n");
  EXPECT_EQ(made.headers, (Headers{{"Facility", "4"}, {"Severity", "2"}}));
}

}  // namespace
}  // namespace millrace
