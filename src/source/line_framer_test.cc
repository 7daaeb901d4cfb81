#include "source/line_framer.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace millrace {
namespace {

std::vector<std::string> lines_of(const LineFramer& framer, std::string_view& bytes) {
  std::vector<std::string> lines;
  for (FramedLine line; framer.next(bytes, line);) {
    lines.push_back(std::string(line.text) + (line.cut ? "~" : ""));
  }
  return lines;
}

TEST(LineFramerTest, FindsLinesAndLeavesTheTornTail) {
  std::string_view bytes("one\n\n\ntwo\0x\n\xff\xfe\nthr", 18);
  EXPECT_EQ(lines_of(LineFramer(100), bytes),
            (std::vector<std::string>{"one", std::string("two\0x", 5), "\xff\xfe"}));
  EXPECT_EQ(bytes, "thr");
}

TEST(LineFramerTest, CutsAtTheLongestLength) {
  std::string_view bytes = "123456789\n1234567890\n12345678901234567890123\n";
  EXPECT_EQ(
      lines_of(LineFramer(10), bytes),
      (std::vector<std::string>{"123456789", "1234567890~", "1234567890~", "1234567890~", "123"}));
  EXPECT_TRUE(bytes.empty());
}

// Goal: lines do not depend on where reads cut the stream. Method: random streams, read whole and
// in random pieces with the tail carried over.
TEST(LineFramerTest, GivesTheSameLinesHoweverTheStreamIsCut) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 2000; ++round) {
    std::string stream(random() % 60, '\0');
    for (char& c : stream) {
      c = "ab\n"[random() % 3];
    }
    const LineFramer framer(1 + random() % 8);
    std::string_view whole = stream;
    const auto want = lines_of(framer, whole);
    std::vector<std::string> got;
    std::string held;
    for (std::size_t at = 0; at < stream.size();) {
      const std::size_t piece = std::min<std::size_t>(1 + random() % 9, stream.size() - at);
      held += stream.substr(at, piece);
      at += piece;
      std::string_view rest = held;
      for (auto& line : lines_of(framer, rest)) {
        got.push_back(std::move(line));
      }
      held = std::string(rest);
      EXPECT_LT(held.size(), framer.longest());
    }
    EXPECT_EQ(got, want);
    EXPECT_EQ(held, whole);
  }
}

}  // namespace
}  // namespace millrace
