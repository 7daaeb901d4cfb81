#include "core/headers.h"

#include <gtest/gtest.h>

namespace millrace {
namespace {

TEST(HeadersTest, KeepsTheOrderOfPutting) {
  HeaderEditor editor;
  editor.set("host", "h1");
  editor.set("Facility", "20");
  editor.set("host", "h2");
  const std::string block = editor.encode();
  std::vector<std::pair<std::string, std::string>> seen;
  for (const auto& [key, value] : HeaderView(block)) {
    seen.emplace_back(key, value);
  }
  EXPECT_EQ(seen,
            (std::vector<std::pair<std::string, std::string>>{{"host", "h2"}, {"Facility", "20"}}));
  EXPECT_EQ(HeaderView(block).find("Facility"), "20");
  EXPECT_EQ(HeaderView(block).find("facility"), std::nullopt);
  EXPECT_TRUE(check_header_block(block).ok());
}

TEST(HeadersTest, NoHeadersIsOneZeroByte) {
  EXPECT_EQ(HeaderEditor().encode(), kNoHeaders);
  EXPECT_TRUE(HeaderView(kNoHeaders).empty());
  EXPECT_TRUE(check_header_block(kNoHeaders).ok());
}

TEST(HeadersTest, RefusesEveryCutBlock) {
  HeaderEditor editor;
  editor.set("key", "value");
  editor.set("other", "");
  const std::string block = editor.encode();
  for (std::size_t length = 0; length < block.size(); ++length) {
    EXPECT_FALSE(check_header_block(std::string_view(block).substr(0, length)).ok()) << length;
  }
  EXPECT_FALSE(check_header_block(block + "x").ok());
}

}  // namespace
}  // namespace millrace
