#include "config/java_regex/java_regex.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ctime>

#include "config/java_regex/subject.h"

namespace millrace {
namespace {

using testing::HasSubstr;

constexpr std::size_t kMostBytes = std::size_t{1} << 20;

JavaRegex compiled(std::string_view pattern) {
  Result<JavaRegex> regex = JavaRegex::compile(pattern);
  EXPECT_TRUE(regex.ok()) << pattern << ": " << (regex.ok() ? "" : regex.error().message());
  return std::move(regex).value();
}

std::string refusal(std::string_view pattern) {
  const Result<JavaRegex> regex = JavaRegex::compile(pattern);
  EXPECT_FALSE(regex.ok()) << pattern;
  return regex.ok() ? "" : regex.error().message();
}

// `count` times `c`, between two texts. (GCC 12 sees overflows in such sums that are not there.)
std::string between(std::string_view before, std::size_t count, char c, std::string_view behind) {
  std::string text(before);
  text.append(count, c);
  text.append(behind);
  return text;
}

std::string replaced(std::string_view pattern, std::string_view text, std::string_view by) {
  JavaRegex regex = compiled(pattern);
  const Result<JavaReplacement> replacement = regex.replacement(by);
  EXPECT_TRUE(replacement.ok()) << by;
  std::string out(text);
  regex.replace_all(text, *replacement, kMostBytes, out);
  return out;
}

TEST(JavaRegexTest, SaysWhatIsWrongAndWhere) {
  EXPECT_THAT(refusal("[a-"), HasSubstr("unclosed character class (at character 3)"));
  EXPECT_THAT(refusal("a**"), HasSubstr("nothing to repeat before * (at character 3)"));
  EXPECT_THAT(refusal("x(a"), HasSubstr("unclosed group (at character 3)"));
  EXPECT_THAT(refusal("a{70000}"), HasSubstr("more than 65535 repetitions"));
  EXPECT_THAT(refusal("\\p{Foo}"), HasSubstr("unknown character property \"Foo\""));
  EXPECT_THAT(refusal("\\p{Is_Latin}"), HasSubstr("unknown character property"));
  EXPECT_THAT(refusal("\\p{IsFoo}"), HasSubstr("no counterpart in PCRE2"));
  EXPECT_THAT(refusal("(?<=a+)b"), HasSubstr("no obvious greatest length"));
  EXPECT_THAT(refusal("(?<=(a)b?)c"), HasSubstr("capturing group in a look-behind"));
  EXPECT_THAT(refusal("(?<=a{0,9}b{0,9}c{0,9})d"), HasSubstr("look-behind of too many"));
  EXPECT_THAT(refusal("a\xFF"), HasSubstr("no UTF-8"));
}

TEST(JavaRegexTest, BoundsWhatAPatternMayCost) {
  EXPECT_THAT(refusal(between("", 300, '(', std::string(300, ')'))), HasSubstr("too deep"));
  EXPECT_THAT(refusal(between("", 300, '[', between("a", 300, ']', ""))), HasSubstr("too deep"));
  EXPECT_FALSE(JavaRegex::compile("((((a{1000}){1000}){1000}){1000}").ok());
  JavaRegex regex = compiled("(x+x+)+[yz]");
  EXPECT_EQ(regex.find(between("", 60, 'x', "!y")), RegexAnswer::kGaveUp);
  EXPECT_EQ(regex.matches(between("", 60, 'x', "!y")), RegexAnswer::kGaveUp);
  EXPECT_EQ(regex.find(between("", 20, 'x', "y")), RegexAnswer::kMatch);
  std::string out = "as it was";
  const Result<JavaReplacement> nothing = regex.replacement("");
  EXPECT_EQ(regex.replace_all(between("xxy", 60, 'x', "!y"), *nothing, kMostBytes, out),
            RegexAnswer::kGaveUp);
}

// Steps are counted anew from each place, and may read all of the text: neither may add up.
TEST(JavaRegexTest, BoundsTheSearchesInOneText) {
  const std::string text = between("", 20'000, 'x', "");
  JavaRegex cubic = compiled("x(?=[xz]*[xz]*[yw])");
  const std::clock_t began = std::clock();
  EXPECT_EQ(cubic.find(text), RegexAnswer::kGaveUp);
  JavaRegex either = compiled("[xz]*[xz]*[yw]|x");
  const Result<JavaReplacement> nothing = either.replacement("");
  std::string out;
  EXPECT_EQ(either.replace_all(text, *nothing, kMostBytes, out), RegexAnswer::kGaveUp);
  JavaRegex fourfold = compiled("x(?=[xz]*[xz]*[xz]*[yw])");
  EXPECT_EQ(fourfold.find(between("", 1000, 'x', "")), RegexAnswer::kGaveUp);
  EXPECT_LT(static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC, 10);
}

// Goal: no pattern stalls a flow, however long the text and whatever a single place to start at
// costs. Method: patterns that nest and repeat what they repeat, at one place, in a text of a
// megabyte: some would take minutes, one ages. The last one begins with many quick steps.
TEST(JavaRegexTest, BoundsTheSearchFromOnePlace) {
  constexpr std::size_t kBytes = 1'000'000;
  constexpr double kSeconds = 0.1 + 200e-9 * kBytes;  // As the header has it.
  const std::string text = between("", kBytes / 2, 'z', between("", kBytes / 2, 'x', "!"));
  for (const std::string pattern :
       {"[xz]*[xz]*[yw]", "[xz]*[xz]*[xz]*[yw]", "([xz]+[xz]+)+[yw]", "(?:[xz]*)*[yw]",
        "([xz]+?)\\1*\\1*[yw]", "(?=(?:[xz]+)+[yw]).*", ".*?.*?.*?[yw]", "z*(x+)\\1*\\1*[yw]",
        "(?:z|y)*[xz]*[xz]*[yw]"}) {
    JavaRegex regex = compiled(pattern);
    JavaRegex anchored = compiled("^" + pattern);
    const std::clock_t began = std::clock();
    EXPECT_NE(regex.matches(text), RegexAnswer::kMatch) << pattern;
    EXPECT_NE(anchored.find(text), RegexAnswer::kMatch) << pattern;
    // Two searches, and as much again for what looks at the clock too late.
    EXPECT_LT(static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC, 2 * 2 * kSeconds)
        << pattern;
  }
}

// A search that goes on by windows finds what one in a whole finds.
TEST(JavaRegexTest, FindsTheSameByWindows) {
  const std::string slow = between("", 1'000, 'x', "");
  for (const std::string_view letter : {"é", "日"}) {
    std::string text = slow;
    for (int i = 0; i < 50; ++i) {
      text += letter;
    }
    JavaRegex regex = compiled("x(?=[xz]*+(?:[xz]|é|日)*end)|(?<=" + std::string(letter) + ")end$");
    EXPECT_EQ(regex.find(text + "en"), RegexAnswer::kNoMatch) << letter;
    const std::string at_end = text + "end";
    ASSERT_EQ(regex.find(at_end), RegexAnswer::kMatch) << letter;
    EXPECT_EQ(regex.group(0), "x");
    const std::string behind = text + "- " + std::string(letter) + "end";
    ASSERT_EQ(regex.find(behind), RegexAnswer::kMatch) << letter;
    EXPECT_EQ(regex.group(0), "end");
  }
}

TEST(JavaRegexTest, BoundsWhatAReplacementGrowsTo) {
  JavaRegex regex = compiled(".");
  const Result<JavaReplacement> long_one = regex.replacement(std::string(1000, 'r'));
  std::string out;
  EXPECT_EQ(regex.replace_all(std::string(100, 'x'), *long_one, 100'000, out), RegexAnswer::kMatch);
  EXPECT_EQ(out.size(), 100'000u);
  EXPECT_EQ(regex.replace_all(std::string(101, 'x'), *long_one, 100'000, out),
            RegexAnswer::kGaveUp);
  EXPECT_EQ(regex.replace_all(std::string(5'000'000, 'x'), *long_one, 100'000, out),
            RegexAnswer::kGaveUp);
  EXPECT_LT(out.capacity(), 1'000'000u);
}

// The limit grows with the text: a long one is no reason to give up.
TEST(JavaRegexTest, ReadsLongTexts) {
  const std::string text = between("", std::size_t{4} << 20, 'a', "b");
  EXPECT_EQ(compiled("a*b").find(text), RegexAnswer::kMatch);
  EXPECT_EQ(compiled("(?:a|b)*c").find(between("", 20'000, 'a', "c")), RegexAnswer::kMatch);
  EXPECT_EQ(compiled("c").find(text), RegexAnswer::kNoMatch);
  EXPECT_EQ(compiled("[^b]*c").matches(text), RegexAnswer::kNoMatch);
}

TEST(JavaRegexTest, KeepsBytesThatAreNoUtf8WhenItReplaces) {
  EXPECT_EQ(replaced("b",
                     "a\xFF"
                     "b\xC3",
                     "<$0>"),
            "a\xFF<b>\xC3");
  EXPECT_EQ(replaced("a(.)b",
                     "\xE2\x82"
                     "a\xFF"
                     "b",
                     "$1$1"),
            "\xE2\x82\xFF\xFF");
  EXPECT_EQ(replaced("x", "\xFF", "y"), "\xFF");
  EXPECT_EQ(replaced("", "\xFF", "-"), "-\xFF-");
}

TEST(JavaRegexTest, GivesTheBytesOfGroups) {
  JavaRegex regex = compiled("(.)(é+)(x)?(.*)");
  const std::string text = "\xC3éé\xE2\x82|\xFF\xF0";
  ASSERT_EQ(regex.matches(text), RegexAnswer::kMatch);
  EXPECT_EQ(regex.group(1), "\xEF\xBF\xBD");
  EXPECT_EQ(regex.group_bytes(0), text);
  EXPECT_EQ(regex.group_bytes(1), "\xC3");
  EXPECT_EQ(regex.group_bytes(2), "éé");
  EXPECT_EQ(regex.group_bytes(3), std::nullopt);
  EXPECT_EQ(regex.group_bytes(4), "\xE2\x82|\xFF\xF0");
  EXPECT_EQ(regex.group_bytes(4)->data() + regex.group_bytes(4)->size(), text.data() + text.size());
}

TEST(JavaRegexTest, RefusesReplacementsThatMakeJavaThrow) {
  const JavaRegex regex = compiled("(?<n>a)");
  const auto fault = [&](std::string_view text) {
    const Result<JavaReplacement> made = regex.replacement(text);
    return made.ok() ? "" : made.error().message();
  };
  EXPECT_THAT(fault("$2"), HasSubstr("there is no group 2; the pattern has 1"));
  EXPECT_THAT(fault("a$"), HasSubstr("$ is not followed"));
  EXPECT_THAT(fault("a\\"), HasSubstr("nothing behind the backslash"));
  EXPECT_THAT(fault("${m}"), HasSubstr("no group is named \"m\""));
  EXPECT_THAT(fault("${n"), HasSubstr("${ is not followed"));
  EXPECT_EQ(fault("${n}$1\\$"), "");
}

TEST(JavaRegexTest, OneObjectServesManyTexts) {
  JavaRegex regex = compiled("(\\d+)(x)?");
  ASSERT_EQ(regex.find("a 12x"), RegexAnswer::kMatch);
  EXPECT_EQ(regex.group(1), "12");
  EXPECT_EQ(regex.group(2), "x");
  ASSERT_EQ(regex.find("é 7"), RegexAnswer::kMatch);
  EXPECT_EQ(regex.group(0), "7");
  EXPECT_EQ(regex.group(2), std::nullopt);
  EXPECT_EQ(regex.group(3), std::nullopt);
  EXPECT_EQ(regex.find(""), RegexAnswer::kNoMatch);
  JavaRegex moved = std::move(regex);
  EXPECT_EQ(moved.find("1"), RegexAnswer::kMatch);
}

TEST(JavaRegexTest, TellsAsciiFromTheRest) {
  for (std::size_t size = 0; size < 100; ++size) {
    std::string text(size, 'a');
    EXPECT_TRUE(java_regex::is_ascii(text));
    for (char& c : text) {
      c = '\x80';
      EXPECT_FALSE(java_regex::is_ascii(text));
      c = 'a';
    }
  }
}

}  // namespace
}  // namespace millrace
