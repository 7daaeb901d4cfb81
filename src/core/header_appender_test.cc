#include "core/header_appender.h"

#include <gtest/gtest.h>

#include <array>

#include "core/testing.h"

namespace millrace {
namespace {

using testing_kit::HeaderList;
using testing_kit::headers_of;
using Value = std::optional<std::string_view>;

class HeaderAppenderTest : public testing::Test {
 protected:
  HeaderList appended(const HeaderList& before, Value a, Value b) {
    EventBatch::Builder builder = slabs.builder_of({{"body", before}});
    HeaderAppender appender(builder, names);
    appender.set(builder[0], std::array{a, b});
    const BatchPtr batch = builder.seal();
    EXPECT_TRUE(check_header_block((*batch)[0].header_block()).ok());
    return headers_of((*batch)[0]);
  }

  testing_kit::Slabs slabs;
  const std::array<std::string, 2> names{"a", "b"};
};

TEST_F(HeaderAppenderTest, AddsBehindWhatIsThere) {
  EXPECT_EQ(appended({}, "1", "2"), (HeaderList{{"a", "1"}, {"b", "2"}}));
  EXPECT_EQ(appended({{"x", "0"}}, "1", ""), (HeaderList{{"x", "0"}, {"a", "1"}, {"b", ""}}));
  EXPECT_EQ(appended({{"x", "0"}}, std::nullopt, "2"), (HeaderList{{"x", "0"}, {"b", "2"}}));
  EXPECT_EQ(appended({{"x", "0"}}, std::nullopt, std::nullopt), (HeaderList{{"x", "0"}}));
  EXPECT_EQ(appended({}, std::nullopt, std::nullopt), HeaderList{});
}

TEST_F(HeaderAppenderTest, ReplacesAHeaderOfTheName) {
  EXPECT_EQ(appended({{"b", "old"}, {"x", "0"}}, "1", "2"),
            (HeaderList{{"b", "2"}, {"x", "0"}, {"a", "1"}}));
  EXPECT_EQ(appended({{"b", "old"}}, "1", std::nullopt), (HeaderList{{"b", "old"}, {"a", "1"}}));
}

// Past 63 headers the number before them takes another byte.
TEST_F(HeaderAppenderTest, CountsManyHeaders) {
  HeaderList before;
  for (int i = 0; i < 63; ++i) {
    before.emplace_back("h" + std::to_string(i), std::string(100, 'v'));
  }
  HeaderList after = before;
  after.emplace_back("a", "1");
  after.emplace_back("b", "2");
  EXPECT_EQ(appended(before, "1", "2"), after);
}

// Events of one block, then of another: what it knows of a block is not taken for the next one's.
TEST_F(HeaderAppenderTest, FollowsTheBlocksOfABatch) {
  EventBatch::Builder builder(slabs.space());
  HeaderEditor plain;
  plain.set("x", "0");
  HeaderEditor taken;
  taken.set("a", "old");
  for (const HeaderEditor* headers : {&plain, &taken, &plain}) {
    const std::string_view block = builder.store_headers(*headers);
    builder.add(builder.store_body("1"), block);
    builder.add(builder.store_body("2"), block);
  }
  HeaderAppender appender(builder, names);
  for (std::size_t i = 0; i < builder.size(); ++i) {
    EXPECT_EQ(appender.has_any(builder[i]), i / 2 == 1);
    const std::string value = std::to_string(i);
    appender.set(builder[i], std::array{Value(value), Value()});
  }
  const BatchPtr batch = builder.seal();
  for (std::size_t i = 0; i < batch->size(); ++i) {
    EXPECT_EQ((*batch)[i].headers().find("a"), std::to_string(i));
    EXPECT_EQ((*batch)[i].headers().size(), i / 2 == 1 ? 1u : 2u);
  }
}

}  // namespace
}  // namespace millrace
