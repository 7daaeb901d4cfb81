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

// Goal: a long line never overflows the stack of std::regex. Method: the longest that is tried.
TEST_F(CustomFormatTest, SurvivesLongLines) {
  SyslogDialect dialect = pattern();
  dialect.custom = CustomFormat::compile({"<(\\d+)>(\\d)?(x)?(y)?((?:.|a)*)", "", "", ""}).value();
  for (const std::size_t size : {CustomFormat::kLongestLine, std::size_t{1} << 20}) {
    const std::string line = "<34>" + std::string(size - 5, 'a') + "\n";
    EXPECT_EQ(only_event_of(dialect, line, std::size_t{2} << 20).body.size(),
              size == CustomFormat::kLongestLine ? size - 5 : size - 1);
  }
}

}  // namespace
}  // namespace millrace
