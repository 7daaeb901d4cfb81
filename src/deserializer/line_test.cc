#include <gmock/gmock.h>
#include <iconv.h>

#include <random>

#include "config/charset.h"
#include "deserializer/charset_text.h"
#include "deserializer/deserializer_fixture.h"

namespace millrace {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string in(const std::string& charset, std::string_view utf8) {
  return std::string(TextConverter::make("UTF-8", charset).value().convert(utf8).value());
}

class LineDeserializerTest : public DeserializerFixture {
 protected:
  LineDeserializerTest() : DeserializerFixture("LINE") {}
};

// Flume's testSimple, testBatch.
TEST_F(LineDeserializerTest, ALineIsAnEvent) {
  use("line 1\nline 2\n");
  EXPECT_THAT(bodies(), ElementsAre("line 1", "line 2"));
  EXPECT_THAT(bodies({}, 1), ElementsAre("line 1", "line 2"));
  use("a\r\n\nb");
  EXPECT_THAT(bodies(), ElementsAre("a\r", "", "b"));
}

// Flume's testMaxLineLength.
TEST_F(LineDeserializerTest, ALongerOneBecomesSeveral) {
  use("abcdefghijklmnopqrstuvwxyz\n");
  EXPECT_THAT(bodies({{"maxLineLength", "10"}}), ElementsAre("abcdefghij", "klmnopqrst", "uvwxyz"));
  EXPECT_EQ(faults({{"maxLineLength", "0"}}), 1u);
  EXPECT_EQ(faults({{"outputCharset", "UTF-17"}}), 1u);
}

// Flume's tests of ResettableFileInputStream. Method: the same text in each encoding, with lines
// around the limit, in whatever batches, and from each position.
TEST_F(LineDeserializerTest, ReadsOtherEncodings) {
  const std::vector<std::string> lines{
      "plain", "", "gr\u00fc\u00dfe \u00e9", std::string(30, 'x'), std::string(20, 'y'), "last\r"};
  const std::vector<std::string> want{"plain",
                                      "",
                                      "gr\u00fc\u00dfe \u00e9",
                                      std::string(20, 'x'),
                                      std::string(10, 'x'),
                                      std::string(20, 'y'),
                                      "last\r"};
  std::string text;
  for (const std::string& line : lines) {
    text += line + "\n";
  }
  for (const char* const charset : {"UTF-8", "ISO-8859-1", "ISO8859_15", "windows-1252", "UTF-16",
                                    "UTF-16LE", "UTF-16BE", "UTF-32", "UTF-32LE", "GB18030"}) {
    SCOPED_TRACE(charset);
    const std::string name(charset);
    const std::string bytes = in(name == "UTF-16"   ? "UTF-16BE"
                                 : name == "UTF-32" ? "UTF-32BE"
                                                    : name,
                                 text);
    use_charset(name);
    use(bytes);
    const auto events = read_all({{"maxLineLength", "20"}}, 1);
    EXPECT_EQ(error(), "");
    std::vector<std::string> got;
    for (const ReadEvent& event : events) {
      got.push_back(event.body);
    }
    EXPECT_EQ(got, want);
    ASSERT_EQ(events.size(), want.size());
    for (std::size_t i = 0; i < events.size(); ++i) {
      use(bytes, events[i].position);
      // A position between two pieces of a line is the begin of what is left of it.
      EXPECT_THAT(
          bodies({{"maxLineLength", "20"}}),
          testing::ElementsAreArray(want.begin() + static_cast<std::ptrdiff_t>(i) + 1, want.end()));
    }
  }
}

TEST_F(LineDeserializerTest, TheMarkTellsTheByteOrder) {
  use_charset("UTF-16");
  for (const bool little : {true, false}) {
    const std::string bytes =
        (little ? "\xFF\xFE" : "\xFE\xFF") + in(little ? "UTF-16LE" : "UTF-16BE", "a\u00e4\nb\n");
    use(bytes);
    const auto events = read_all({}, 1);
    ASSERT_EQ(events.size(), 2u);
    EXPECT_EQ(events[0].body, "a\u00e4");
    EXPECT_EQ(events[0].position, 8u);
    use(bytes, 8);
    EXPECT_THAT(bodies(), ElementsAre("b"));
  }
  use("\xFF\xFE");
  EXPECT_THAT(bodies(), ElementsAre());
}

// Characters of two units, and 0x0A within a unit.
TEST_F(LineDeserializerTest, TearsNoCharacterOfAnotherEncoding) {
  const std::string rocket = "\U0001F680";
  use_charset("UTF-16LE");
  use(in("UTF-16LE", "\u0a0a\u010a" + rocket + rocket + "\n" + rocket));
  EXPECT_THAT(bodies({{"maxLineLength", "3"}}),
              ElementsAre("\u0a0a\u010a" + rocket, rocket, rocket));
  use_charset("Shift_JIS");
  use(in("Shift_JIS", "\u30bd\u8868\u30bd\u8868\nx"));  // Their second byte is a backslash.
  EXPECT_THAT(bodies({{"maxLineLength", "3"}}), ElementsAre("\u30bd\u8868\u30bd", "\u8868", "x"));
}

// The wanted bytes are those of Java's String.getBytes().
TEST_F(LineDeserializerTest, GivesBodiesInAnotherEncoding) {
  use("gr\u00fc\u00dfe\n\n\u20ac \U0001F680!\n");
  EXPECT_THAT(bodies({{"outputCharset", "ISO-8859-1"}}), ElementsAre("gr\xFC\xDF"
                                                                     "e",
                                                                     "", "? ?!"));
  EXPECT_THAT(
      bodies({{"outputCharset", "UTF-16"}, {"maxLineLength", "3"}}),
      ElementsAre(std::string("\xFE\xFF\0g\0r\0\xFC", 8), std::string("\xFE\xFF\0\xDF\0e", 6), "",
                  std::string("\xFE\xFF\x20\xAC\0 \xD8\x3D\xDE\x80", 10),
                  std::string("\xFE\xFF\0!", 4)));
  EXPECT_THAT(bodies({{"outputCharset", "utf8"}}),
              ElementsAre("gr\u00fc\u00dfe", "", "\u20ac \U0001F680!"));
}

TEST_F(LineDeserializerTest, WhatIsNoTextInAnotherEncoding) {
  use_charset("US-ASCII");
  use("one\ntw\xFFo\nthree\n");
  EXPECT_THAT(bodies(), ElementsAre("one"));
  EXPECT_THAT(error(), HasSubstr("byte 6 is no US-ASCII"));
  use_policy(DecodeErrors::kReplace);
  EXPECT_THAT(bodies(), ElementsAre("one", "tw\uFFFDo", "three"));
  use_policy(DecodeErrors::kIgnore);
  EXPECT_THAT(bodies(), ElementsAre("one", "two", "three"));
  use_charset("UTF-16LE");
  use(in("UTF-16LE", "a\n") + std::string("b\0\x00\xDC"
                                          "c\0\n\0d",
                                          9));  // A low half, half a unit.
  EXPECT_THAT(bodies(), ElementsAre("a", "bc", ""));
  use_policy(DecodeErrors::kReplace);
  EXPECT_THAT(bodies(), ElementsAre("a",
                                    "b\uFFFD"
                                    "c",
                                    "\uFFFD"));
}

// Goal: nothing is lost or doubled of lines around the sizes of reads, in an encoding of two bytes
// a unit.
TEST_F(LineDeserializerTest, LosesNothingOfALargeFileInUtf16) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  std::vector<std::string> want;
  std::string text;
  for (int i = 0; i < 3000; ++i) {
    want.push_back(std::to_string(i) + "\u00e4" +
                   std::string(i % 1000 == 7 ? 200'000 : random() % 300, 'x'));
    text += want.back() + "\n";
  }
  use_charset("UTF-16LE");
  use(in("UTF-16LE", text));
  EXPECT_EQ(bodies({{"maxLineLength", "1000000"}}, 1 + random() % 500), want);
}

TEST(CharsetTextTest, RefusesWhatCannotBeReadFromTheMiddle) {
  for (const char* const name :
       {"no-such-charset", "ISO-2022-JP", "ISO-2022-KR", "UTF-7", "IBM037"}) {
    const auto made = CharsetText::make(name, {});
    ASSERT_FALSE(made.ok()) << name;
    EXPECT_THAT(made.error().message(), HasSubstr(name));
  }
}

}  // namespace
}  // namespace millrace
