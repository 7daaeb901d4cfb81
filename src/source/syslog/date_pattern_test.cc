#include "source/syslog/date_pattern.h"

#include <gtest/gtest.h>

namespace millrace {
namespace {

std::optional<std::int64_t> parsed(std::string_view pattern, std::string_view text) {
  SyslogTime time(SyslogZone::kUtc);
  time.set_now(1'764'500'000'000);
  return DatePattern::compile(pattern).value().parse(text, time);
}

TEST(DatePatternTest, ReadsWhatJavaReads) {
  EXPECT_EQ(parsed("yyyy-MM-dd'T'HH:mm:ss.SZ", "2012-04-13T11:11:11.999+0800"), 1334286671999);
  EXPECT_EQ(parsed("yyyy-MM-dd'T'HH:mm:ssX", "2012-04-13T11:11:11Z"), 1334315471000);
  EXPECT_EQ(parsed("EEE, d MMM yyyy hh:mm:ss a z", "Fri, 13 Apr 2012 11:11:11 PM GMT"),
            1334358671000);
  EXPECT_EQ(parsed("MMMM d, yyyy", "April 13, 2012"), 1334275200000);
  EXPECT_EQ(parsed("yyyyMMddHHmmss", "20120413111111"), 1334315471000);
  EXPECT_EQ(parsed("dd/MM/yy", "13/04/12 and more"), 1334275200000);
  EXPECT_EQ(parsed("dd/MM/yy", "13/04/99"), 923961600000);
  EXPECT_EQ(parsed("'o''clock' H", "o'clock 5"), 18000000);
  EXPECT_EQ(parsed("H 'h'", "5 h"), 18000000);
}

TEST(DatePatternTest, RefusesWhatDoesNotFit) {
  EXPECT_EQ(parsed("yyyy-MM-dd", "2012/04/13"), std::nullopt);
  EXPECT_EQ(parsed("MMM d", "Foo 3"), std::nullopt);
  EXPECT_EQ(parsed("HH:mm", "xx:yy"), std::nullopt);
  EXPECT_FALSE(DatePattern::compile("yyyy 'open").ok());
  EXPECT_FALSE(DatePattern::compile("qqq").ok());
}

}  // namespace
}  // namespace millrace
