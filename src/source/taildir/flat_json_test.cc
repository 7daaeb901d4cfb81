#include "source/taildir/flat_json.h"

#include <gtest/gtest.h>

namespace millrace {
namespace {

TEST(FlatJsonTest, ReadsNumbersAndTexts) {
  const FlatObjects read =
      read_flat_objects(" [ {\"a\" : -12, \"b\":\"x\\\"\\\\\\/\\n\\u00e9\\ud83d\\ude80\"} ,{}]\n");
  EXPECT_EQ(read.damage, "");
  ASSERT_EQ(read.objects.size(), 2u);
  EXPECT_EQ(read.objects[0].number("a"), -12);
  EXPECT_EQ(read.objects[0].number("b"), std::nullopt);
  ASSERT_NE(read.objects[0].text("b"), nullptr);
  EXPECT_EQ(*read.objects[0].text("b"), "x\"\\/\n\u00e9\U0001F680");
  EXPECT_EQ(read.objects[1].text("b"), nullptr);
}

TEST(FlatJsonTest, NothingIsAListWithoutObjects) {
  for (const char* const text : {"", " \r\n", "[]", "[ ]"}) {
    const FlatObjects read = read_flat_objects(text);
    EXPECT_EQ(read.damage, "") << text;
    EXPECT_TRUE(read.objects.empty()) << text;
  }
}

// Goal: of a text that is cut anywhere just the whole objects are taken, and it is called damaged.
TEST(FlatJsonTest, TakesWhatIsWholeOfACutText) {
  const std::string text = R"([{"n":12345,"t":"a\u00e9b"},{"n":6}])";
  const std::size_t first_ends = text.find('}') + 1;
  const std::size_t second_ends = text.size() - 1;
  for (std::size_t size = 1; size < text.size(); ++size) {
    const FlatObjects read = read_flat_objects(text.substr(0, size));
    EXPECT_NE(read.damage, "") << size;
    const std::size_t whole = (size >= first_ends ? 1u : 0u) + (size >= second_ends ? 1u : 0u);
    ASSERT_EQ(read.objects.size(), whole) << size;
    if (whole > 0) {
      EXPECT_EQ(read.objects[0].number("n"), 12345);
    }
  }
}

TEST(FlatJsonTest, RefusesWhatItDoesNotKnow) {
  for (const char* const text :
       {"{}", "[1]", "[{]", "[{\"a\":1.5}]", "[{\"a\":true}]", "[{\"a\":[]}]", "[{\"a\"}]",
        "[{\"a\":\"\\x\"}]", "[{\"a\":\"\\u12\"}]", "[{\"a\":99999999999999999999}]", "[] x"}) {
    EXPECT_NE(read_flat_objects(text).damage, "") << text;
  }
}

TEST(FlatJsonTest, ReadsWhatItWrites) {
  const std::string odd = "/a \"b\"\\\x01\n\xff\xc3\xa9";
  std::string json = "[{\"file\":";
  append_json_text(json, odd);
  json += "}]";
  const FlatObjects read = read_flat_objects(json);
  ASSERT_EQ(read.objects.size(), 1u) << read.damage;
  EXPECT_EQ(*read.objects[0].text("file"), odd);
}

}  // namespace
}  // namespace millrace
