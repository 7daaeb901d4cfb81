#include "cli/hammer/event_text.h"

#include <gtest/gtest.h>

namespace millrace {
namespace {

TEST(EventText, IsWhatTheFormatPageSays) {
  const EventText event = make_event_text(3, "soak-1", 64, "x");
  EXPECT_EQ(event.text, "hammer-3 soak-1 000000000000 r00 64 xxxxxxxxxxxxxxxxxxxxxxxxxxxx");
  EXPECT_EQ(event.number_at, 16u);
  EXPECT_EQ(event.copy_at, 30u);
}

TEST(EventText, IsFoundBehindAPrefix) {
  const std::string text =
      "<13>Feb  3 04:05:06 hammer-host hammer-12 r_1 000000000077 r05 40 xxxxxx";
  const auto event = find_hammer_event(text);
  ASSERT_TRUE(event);
  EXPECT_EQ(event->hammer, 12u);
  EXPECT_EQ(event->run, "r_1");
  EXPECT_EQ(event->number, 77u);
  EXPECT_EQ(event->copy, 5u);
  EXPECT_TRUE(event->whole);
}

TEST(EventText, KnowsWhenItWasCut) {
  const std::string text = make_event_text(0, "r", 100, "x").text;
  EXPECT_TRUE(find_hammer_event(text)->whole);
  EXPECT_TRUE(find_hammer_event(text + "\r")->whole);
  EXPECT_FALSE(find_hammer_event(text.substr(0, 99))->whole);
}

TEST(EventText, IsNotFoundInWhatOnlyResemblesIt) {
  for (const char* text :
       {"", "hammer-", "hammer-1", "hammer-x run 000000000001 r00 1 ", "hammer-1 run 1 r00 60 x",
        "hammer-1 run 0000000000001 r00 60 x", "hammer-1 run 000000000001 00 60 x",
        "hammer-1 run 000000000001 r0 60 x", "hammer-1 r*n 000000000001 r00 60 x",
        "hammer-1  000000000001 r00 60 x", "hammer-1 run 000000000001 r00 60",
        "hammer-1234567890 run 000000000001 r00 60 x",
        "hammer-1 a-run-of-more-than-thirty-two-letters 000000000001 r00 60 x"}) {
    EXPECT_FALSE(find_hammer_event(text)) << text;
  }
}

TEST(EventText, FillsTheBytesItIsGiven) {
  for (std::size_t bytes = smallest_event(999, "run"); bytes < 200; ++bytes) {
    const auto event = make_event_text(999, "run", bytes, "some words ");
    EXPECT_EQ(event.text.size(), bytes);
    EXPECT_TRUE(find_hammer_event(event.text)->whole);
  }
}

TEST(EventText, WritesDigits) {
  std::string text = "------";
  put_digits(text.data() + 1, 4, 42);
  EXPECT_EQ(text, "-0042-");
}

}  // namespace
}  // namespace millrace
