#include "config/json_value.h"

#include <gtest/gtest.h>

namespace millrace {
namespace {

TEST(JsonValueTest, ReadsATree) {
  const auto read = parse_json(
      R"( {"a": [1, -2.5e3, true, null, "t\u00e4\ud83d\ude80\"" ], "b": {}, "c": [], "a2": "x", "b": 7} )");
  ASSERT_TRUE(read.ok()) << read.error().message();
  const JsonValue& root = read.value();
  EXPECT_EQ(root.keys, (std::vector<std::string>{"a", "b", "c", "a2", "b"}));
  const JsonValue& list = *root.find("a");
  ASSERT_EQ(list.items.size(), 5u);
  EXPECT_EQ(list.items[1].text, "-2.5e3");
  EXPECT_EQ(list.items[3].text, "null");
  EXPECT_EQ(list.items[3].kind, JsonValue::Kind::kWord);
  EXPECT_EQ(list.items[4].text, "t\u00e4\U0001F680\"");
  EXPECT_EQ(root.find("b")->text, "7");
  EXPECT_EQ(root.find("none"), nullptr);
}

TEST(JsonValueTest, RefusesWhatIsNone) {
  for (const char* json : {"", "[", "[1", "[1,]", "{\"a\"}", "{\"a\":}", "{1:2}", "[1] 2", "\"a",
                           "\"\\q\"", "\"\\u12\"", ",", "{\"a\":1,}"}) {
    EXPECT_FALSE(parse_json(json).ok()) << json;
  }
  EXPECT_FALSE(parse_json(std::string(100'000, '[')).ok());
  EXPECT_TRUE(parse_json(std::string(150, '[') + std::string(150, ']')).ok());
}

}  // namespace
}  // namespace millrace
