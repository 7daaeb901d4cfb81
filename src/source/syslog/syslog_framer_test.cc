#include "source/syslog/syslog_framer.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace millrace {
namespace {

using Strings = std::vector<std::string>;

// A stream as it comes in reads. Cut messages end in "~", what is torn at the end in "|".
class Stream {
 public:
  explicit Stream(std::size_t longest, bool takes_counts = true)
      : framer_(longest, takes_counts), longest_(longest) {}

  void read(std::string_view bytes) {
    held_ += bytes;
    std::string_view rest = held_;
    for (FramedLine line; framer_.next(rest, line, due_);) {
      EXPECT_FALSE(line.text.empty());
      EXPECT_LE(line.text.size(), longest_);
      add(line);
    }
    held_ = std::string(rest);
    EXPECT_LT(held_.size(), longest_);
  }
  const Strings& messages() const { return messages_; }
  Strings end() {
    if (!held_.empty()) {
      add(SyslogFramer::last(held_, due_));
      messages_.back() += "|";
    }
    return messages_;
  }

 private:
  void add(const FramedLine& line) {
    messages_.push_back(std::string(line.text) + (line.cut ? "~" : ""));
  }

  const SyslogFramer framer_;
  const std::size_t longest_;
  std::string held_;
  std::size_t due_ = 0;
  Strings messages_;
};

Strings messages_of(std::string_view bytes, std::size_t longest = 100, bool takes_counts = true) {
  Stream stream(longest, takes_counts);
  stream.read(bytes);
  return stream.end();
}

TEST(SyslogFramerTest, TellsCountedMessagesFromLines) {
  EXPECT_EQ(messages_of("6 <1>abc5 <1>de<1>line\n\n7 <1>a\nbc<2>x\ny\n4 <3>!"),
            (Strings{"<1>abc", "<1>de", "<1>line", "<1>a\nbc", "<2>x", "y", "<3>!"}));
}

TEST(SyslogFramerTest, EndsNoMessageInANewline) {
  EXPECT_EQ(messages_of("7 <1>abc\n8 <1>abc\r\n6 <1>abc\n6 <1>abc\n\n1 <1>\n"),
            (Strings{"<1>abc", "<1>abc", "<1>abc", "<1>abc", "<", "1>"}));
}

// What looks like a count in part is what it is to Flume.
TEST(SyslogFramerTest, TakesForLinesWhatIsNoCount) {
  for (const std::string line :
       {"5", "5 ", "5 <", "5 <a>bc", "5  <1>a", "5<1>ab", "05 <1>ab", "0 <1>ab", "-5 <1>a",
        "12345678 <1>a", "5 x<1>", "5\t<1>a", "5 dogs", "+5 <1>a"}) {
    EXPECT_EQ(messages_of(line + "\n<1>x\n"), (Strings{line, "<1>x"}));
  }
  EXPECT_EQ(messages_of("4 <1>a\n", 100, false), (Strings{"4 <1>a"}));
}

TEST(SyslogFramerTest, CutsWhatIsTooLong) {
  EXPECT_EQ(messages_of("25 <1>4567890abcdefghij12345<1>x\n", 10),
            (Strings{"<1>4567890~", "abcdefghij~", "12345", "<1>x"}));
  EXPECT_EQ(messages_of("20 <1>4567890abcdefghij<1>x\n", 10),
            (Strings{"<1>4567890~", "abcdefghij", "<1>x"}));
  EXPECT_EQ(messages_of("11 <1>4567890\n<1>x\n", 10), (Strings{"<1>4567890~", "<1>x"}));
}

// A wrong count costs the messages that it cuts, and no byte.
TEST(SyslogFramerTest, GoesOnBehindTheNextNewlineAfterAWrongCount) {
  EXPECT_EQ(messages_of("4 <1>abc\n4 <1>x"), (Strings{"<1>a", "bc", "<1>x"}));
  EXPECT_EQ(messages_of("4 <1>abc6 <1>def\n<1>x\n"), (Strings{"<1>a", "bc6 <1>def", "<1>x"}));
  EXPECT_EQ(messages_of("9 <1>abc4 <1>d\n<1>x\n"), (Strings{"<1>abc4 <", "1>d", "<1>x"}));
}

TEST(SyslogFramerTest, KeepsWhatIsCutByTheEnd) {
  EXPECT_EQ(messages_of("9 <1>abc"), (Strings{"<1>abc~|"}));
  EXPECT_EQ(messages_of("9 <1"), (Strings{"<1~|"}));
  EXPECT_EQ(messages_of("9 <"), (Strings{"9 <|"}));
  EXPECT_EQ(messages_of("9"), (Strings{"9|"}));
  EXPECT_EQ(messages_of("99 <1>4567890", 10), (Strings{"<1>4567890~"}));
}

// Goal: messages do not depend on where reads cut the stream, and no byte is lost but counts and
// newlines. Method: streams of pieces that look like counts, read whole, in random pieces, and byte
// by byte.
TEST(SyslogFramerTest, GivesTheSameMessagesHoweverTheStreamIsCut) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  constexpr const char* kPieces[] = {"<1>", "<",         " <1>",       "5 <1>ab", "12",
                                     "3 ",  " ",         "\n",         "\r\n",    "x",
                                     "0",   "30 <2>abc", "9999999 <1>"};
  for (int round = 0; round < 3000; ++round) {
    std::string bytes;
    for (std::size_t pieces = random() % 20; pieces > 0; --pieces) {
      bytes += kPieces[random() % std::size(kPieces)];
    }
    const std::size_t longest = 10 + random() % 20;
    Stream whole(longest);
    whole.read(bytes);
    Stream random_reads(longest);
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t piece = 1 + random() % 9;
      random_reads.read(std::string_view(bytes).substr(at, piece));
      at += piece;
    }
    Stream byte_by_byte(longest);
    for (const char c : bytes) {
      byte_by_byte.read({&c, 1});
    }
    EXPECT_EQ(random_reads.messages(), whole.messages()) << bytes;
    EXPECT_EQ(byte_by_byte.messages(), whole.messages()) << bytes;
    const Strings all = whole.end();
    EXPECT_EQ(random_reads.end(), all) << bytes;
    EXPECT_EQ(byte_by_byte.end(), all) << bytes;
  }
}

}  // namespace
}  // namespace millrace
