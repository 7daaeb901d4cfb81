#include "config/properties.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "config/utf8.h"

namespace millrace {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

using Pairs = std::vector<std::pair<std::string, std::string>>;

Pairs pairs_of(const PropertySection& set) {
  Pairs pairs;
  for (const Property& property : set.entries()) {
    pairs.emplace_back(property.full_key, property.value);
  }
  return pairs;
}

class PropertiesTest : public ::testing::Test {
 protected:
  Pairs parse(std::string_view bytes) {
    return pairs_of(parse_properties(bytes, "a.conf", diagnostics));
  }
  Diagnostics diagnostics;
};

TEST_F(PropertiesTest, TakesEverySeparator) {
  EXPECT_THAT(parse("a=1\nb:2\nc 3\nd\t4\ne\f5\nf = 6\ng : 7\nh \t = \t 8"),
              ElementsAre(Pair("a", "1"), Pair("b", "2"), Pair("c", "3"), Pair("d", "4"),
                          Pair("e", "5"), Pair("f", "6"), Pair("g", "7"), Pair("h", "8")));
}

TEST_F(PropertiesTest, OnlyTheFirstSignSeparates) {
  EXPECT_THAT(parse("a==1\nb :=2\nc=:3\nd  = = 4\n"),
              ElementsAre(Pair("a", "=1"), Pair("b", "=2"), Pair("c", ":3"), Pair("d", "= 4")));
}

TEST_F(PropertiesTest, KeysMayHoldEscapedSeparators) {
  EXPECT_THAT(parse("a\\=b\\:c\\ d = 1\n\\#e=2\n\\!f=3\n"),
              ElementsAre(Pair("a=b:c d", "1"), Pair("#e", "2"), Pair("!f", "3")));
}

TEST_F(PropertiesTest, KeysWithoutAValueAndValuesWithoutAKey) {
  EXPECT_THAT(parse("a\nb=\nc:\n = 1\n"),
              ElementsAre(Pair("a", ""), Pair("b", ""), Pair("c", ""), Pair("", "1")));
}

TEST_F(PropertiesTest, SkipsCommentsAndBlankLines) {
  EXPECT_THAT(parse("# a=1\n  ! b=2\n\n \t \f\n#c\\\nd=4 # no comment\n"),
              ElementsAre(Pair("d", "4 # no comment")));
}

TEST_F(PropertiesTest, TakesEveryLineEnd) {
  EXPECT_THAT(parse("a=1\rb=2\r\nc=3\n\rd=4"),
              ElementsAre(Pair("a", "1"), Pair("b", "2"), Pair("c", "3"), Pair("d", "4")));
}

TEST_F(PropertiesTest, JoinsContinuedLines) {
  EXPECT_THAT(
      parse("a = x \\\n   y\\\r\n\t z\nb = 1\\\\\nc = 2\\\\\\\n3\nd = q\\\n# w\n"),
      ElementsAre(Pair("a", "x yz"), Pair("b", "1\\"), Pair("c", "2\\3"), Pair("d", "q# w")));
}

TEST_F(PropertiesTest, AContinuationMayRunIntoABlankLineOrTheEnd) {
  EXPECT_THAT(parse("a = 1\\\n\nb = 2\\\n   \nc = 3\\"),
              ElementsAre(Pair("a", "1"), Pair("b", "2"), Pair("c", "3")));
}

TEST_F(PropertiesTest, ALoneBackslashContinuesNothing) {
  EXPECT_THAT(parse("\\\n# comment\n\\\n  a = 1\n"), ElementsAre(Pair("a", "1")));
}

TEST_F(PropertiesTest, ResolvesEscapes) {
  EXPECT_THAT(parse("a = \\t\\n\\r\\f\\\\\\q\\\"\\ \\u0041\\u00E7\\u20aC\n"),
              ElementsAre(Pair("a", "\t\n\r\f\\q\" A\xC3\xA7\xE2\x82\xAC")));
}

TEST_F(PropertiesTest, ASurrogatePairIsOneCharacter) {
  EXPECT_THAT(
      parse("a = \\uD83D\\uDE80\nb = \\uD83D\\n\nc = \\uDE80x\nd = \\uD83D\\uD83D\\uDE80\n"),
      ElementsAre(Pair("a", "\xF0\x9F\x9A\x80"), Pair("b", "\xEF\xBF\xBD\n"),
                  Pair("c", "\xEF\xBF\xBDx"), Pair("d", "\xEF\xBF\xBD\xF0\x9F\x9A\x80")));
}

TEST_F(PropertiesTest, KeepsUtf8AndReadsOtherBytesAsLatin1) {
  EXPECT_THAT(parse("a = Besan\xC3\xA7on\nb = Besan\xE7on\nc = \xE7\\u00e7\nd = \xC3\xA7\\u00e7\n"),
              ElementsAre(Pair("a", "Besan\xC3\xA7on"), Pair("b", "Besan\xC3\xA7on"),
                          Pair("c", "\xC3\xA7\xC3\xA7"), Pair("d", "\xC3\xA7\xC3\xA7")));
}

TEST_F(PropertiesTest, DropsAByteOrderMark) {
  EXPECT_THAT(parse("\xEF\xBB\xBF"
                    "a = 1\n"),
              ElementsAre(Pair("a", "1")));
}

TEST_F(PropertiesTest, AMalformedEscapeCostsItsEntry) {
  for (const char* bad : {"\\u12", "\\uXYZW", "\\u", "\\u 041"}) {
    diagnostics = {};
    EXPECT_THAT(parse("a = 1\nb = " + std::string(bad) + "\nc = 3\n"),
                ElementsAre(Pair("a", "1"), Pair("c", "3")));
    EXPECT_THAT(diagnostics.to_string(), HasSubstr("a.conf:2: error: b: \\u needs four"));
  }
}

TEST_F(PropertiesTest, TheLastDuplicateWinsAndTheFirstIsNamed) {
  EXPECT_THAT(parse("a = 1\nb = 2\na = 3\nb = 2\n"), ElementsAre(Pair("a", "3"), Pair("b", "2")));
  EXPECT_EQ(diagnostics.to_string(),
            "a.conf:3: warning: a: is given again: the value of line 1 has no effect\n");
}

TEST_F(PropertiesTest, KnowsTheLineWhereAnEntryStarts) {
  const PropertySection set =
      parse_properties("\n# x\na = 1\\\n  2\\\n  3\r\n\r\nb = 4\rc = 5", "dir/a.conf", diagnostics);
  ASSERT_EQ(set.entries().size(), 3U);
  EXPECT_EQ(set.entries()[0].line, 3U);
  EXPECT_EQ(set.entries()[1].line, 7U);
  EXPECT_EQ(set.entries()[2].line, 8U);
  EXPECT_EQ(set.entries()[2].file, "dir/a.conf");
}

TEST_F(PropertiesTest, RefusesWhatIsNoConfiguration) {
  EXPECT_THAT(parse(std::string(kMostPropertiesBytes + 1, 'a')), IsEmpty());
  EXPECT_THAT(parse("\xFF\xFE"
                    "a"),
              IsEmpty());
  EXPECT_EQ(diagnostics.error_count(), 2U);
}

TEST_F(PropertiesTest, ReadsAFileFromAnotherSystem) {
  EXPECT_THAT(
      parse("# written on another system\r\n"
            "a1.sources : r1  \r\n"
            "a1.channels c1\t\r\n"
            "a1.sinks = k1 \t \r\n"
            "a1.sources.r1.interceptors = i1 \\\r\n"
            "     i2\r\n"
            "a1.sources.r1.interceptors.i1.value = Besan\\u00e7on \\uD83D\\uDE80  \r\n"
            "a1.sources.r1.interceptors.i2.value = first\r\n"
            "a1.sources.r1.interceptors.i2.value = second\r\n"),
      ElementsAre(Pair("a1.sources", "r1  "), Pair("a1.channels", "c1\t"),
                  Pair("a1.sinks", "k1 \t "), Pair("a1.sources.r1.interceptors", "i1 i2"),
                  Pair("a1.sources.r1.interceptors.i1.value", "Besan\xC3\xA7on \xF0\x9F\x9A\x80  "),
                  Pair("a1.sources.r1.interceptors.i2.value", "second")));
}

TEST_F(PropertiesTest, LaterSetsOverrideEarlierOnes) {
  const PropertySection first = parse_properties("a = 1\nb = 2\n", "1.conf", diagnostics);
  const PropertySection second = parse_properties("c = 3\na = 4\n", "2.conf", diagnostics);
  const PropertySection merged = merge_properties({first, second});
  EXPECT_THAT(pairs_of(merged), ElementsAre(Pair("b", "2"), Pair("c", "3"), Pair("a", "4")));
  EXPECT_EQ(merged.find("a")->file, "2.conf");
  EXPECT_TRUE(diagnostics.empty());
}

TEST(Utf8Test, IsStrict) {
  EXPECT_TRUE(is_valid_utf8("a\xC3\xA7\xE2\x82\xAC\xF0\x9F\x9A\x80"));
  for (const char* bad : {"\x80", "\xC3", "\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80",
                          "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xC3\x41"}) {
    EXPECT_FALSE(is_valid_utf8(bad));
  }
}

}  // namespace
}  // namespace millrace
