#include "cli/hammer/flow.h"

#include <gtest/gtest.h>

#include <set>

namespace millrace {
namespace {

using namespace std::chrono_literals;

LineShape shape(const std::string& prefix = "") {
  LineShape shape;
  shape.run = "r";
  shape.prefix = prefix;
  shape.line_bytes = 100;
  return shape;
}

std::uint64_t number_of(std::string_view lines, std::size_t index) {
  const auto event = find_hammer_event(lines.substr(index * 101, 100));
  EXPECT_TRUE(event && event->whole);
  return event ? event->number : 0;
}

TEST(LineBlock, NumbersLinesWhereTheyLie) {
  LineBlock block(shape(), 10 * 101);
  EXPECT_EQ(block.line_bytes(), 101u);
  std::string_view lines = block.lines(995, 8);
  ASSERT_EQ(lines.size(), 8 * 101u);
  EXPECT_EQ(number_of(lines, 0), 995u);
  EXPECT_EQ(number_of(lines, 7), 1002u);
  lines = block.lines(998, 100);  // Three were used; the block has seven more.
  ASSERT_EQ(lines.size(), 7 * 101u);
  EXPECT_EQ(number_of(lines, 0), 998u);
  EXPECT_EQ(number_of(lines, 6), 1004u);
  lines = block.lines(1005, 100);
  ASSERT_EQ(lines.size(), 10 * 101u);
  EXPECT_EQ(number_of(lines, 9), 1014u);
  lines = block.lines(5, 1);  // Back, and far ahead.
  EXPECT_EQ(number_of(lines, 0), 5u);
  EXPECT_EQ(number_of(block.lines(999'999'999'999, 1), 0), 999'999'999'999u);
}

TEST(LineBlock, HasALineWhenItsBytesDoNotSuffice) {
  LineBlock block(shape(), 10);
  EXPECT_EQ(block.lines(7, 5).size(), 101u);
}

TEST(LineBlock, MarksCopies) {
  LineBlock block(shape(), 1000);
  const std::string line = block.line_again(123, 200);
  const auto event = find_hammer_event(line);
  ASSERT_TRUE(event);
  EXPECT_EQ(event->number, 123u);
  EXPECT_EQ(event->copy, kMostCopies);
  EXPECT_EQ(find_hammer_event(block.lines(123, 1))->copy, 0u);
}

TEST(LineBlock, ReplacesThePrefixOfAllLines) {
  LineBlock block(shape("<13>a "), 1000);
  block.set_prefix("<13>b ");
  EXPECT_TRUE(block.lines(0, 9).substr(8 * 101).starts_with("<13>b hammer-0 r 000000000008 "));
}

TEST(Flow, GivesBackWhatNobodyTook) {
  Flow flow({shape(), 10, 20});
  const auto lines = flow.next(5);
  ASSERT_TRUE(lines);
  EXPECT_EQ(lines->numbers, (NumberRange{10, 5, 0}));
  flow.took({10, 2, 0});
  EXPECT_EQ(flow.next(100)->numbers, (NumberRange{12, 8, 0}));
  flow.took({12, 8, 0});
  EXPECT_FALSE(flow.next(1));
  EXPECT_TRUE(flow.exhausted());
}

TEST(Flow, SendsAgainFirst) {
  Flow flow({shape(), 0, 1000});
  flow.took({0, 100, 0});
  flow.send_again({40, 2, 0});
  flow.send_again({7, 1, 3});
  auto lines = flow.next(1);
  EXPECT_EQ(lines->numbers, (NumberRange{40, 1, 1}));
  EXPECT_EQ(find_hammer_event(lines->bytes)->copy, 1u);
  flow.took(lines->numbers);
  EXPECT_EQ(flow.next(10)->numbers, (NumberRange{41, 1, 1}));
  flow.took({41, 1, 1});
  EXPECT_EQ(flow.next(10)->numbers, (NumberRange{7, 1, 4}));
  flow.took({7, 1, 4});
  EXPECT_EQ(flow.next(10)->numbers.first, 100u);
  EXPECT_EQ(flow.counts().again, 3u);
  flow.stop();
  EXPECT_TRUE(flow.exhausted());
}

TEST(AckWindow, AnswersComeInOrder) {
  AckWindow window;
  window.sent({0, 3, 0});
  window.sent({3, 2, 0});
  window.sent({1, 1, 1});
  EXPECT_EQ(window.ranges().size(), 2u);
  EXPECT_EQ(window.size(), 6u);
  EXPECT_EQ(window.answered(4), 4u);
  EXPECT_EQ(window.take_front(), (NumberRange{4, 1, 0}));
  EXPECT_EQ(window.answered(9), 1u);
  EXPECT_EQ(window.answered(1), 0u);
  EXPECT_EQ(window.take_front().count, 0u);
  window.sent({5, 4, 0});
  EXPECT_EQ(window.take_all().size(), 1u);
  EXPECT_TRUE(window.empty());
}

TEST(Pacer, ComesOutEven) {
  const SteadyTime start{1h};
  Pacer pacer(10'000);
  std::uint64_t sent = 0;
  EXPECT_EQ(pacer.due(start), 0u);
  for (int ms = 1; ms <= 1000; ++ms) {
    const std::uint64_t due = pacer.due(start + std::chrono::milliseconds(ms));
    EXPECT_GE(due, 9u);
    EXPECT_LE(due, 11u);
    pacer.took(due);
    sent += due;
  }
  EXPECT_NEAR(static_cast<double>(sent), 10'000, 1);
}

TEST(Pacer, MakesUpForATenthOfASecondAtMost) {
  const SteadyTime start{1h};
  Pacer pacer(1000);
  pacer.due(start);
  EXPECT_EQ(pacer.due(start + 10s), 100u);
  pacer.took(100);
  EXPECT_EQ(pacer.due(start + 10s + 5ms), 5u);
}

TEST(Pacer, KeepsSlowRatesAndKnowsNoLimit) {
  const SteadyTime start{1h};
  Pacer slow(0.5);
  slow.due(start);
  EXPECT_EQ(slow.due(start + 1900ms), 0u);
  EXPECT_EQ(slow.due(start + 2001ms), 1u);
  Pacer fast(0);
  EXPECT_EQ(fast.due(start), Pacer::kUnlimited);
}

}  // namespace
}  // namespace millrace
