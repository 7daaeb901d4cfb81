#include "source/taildir/taildir_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "source/taildir/taildir_fixture.h"

namespace millrace {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing_kit::eventually;

class TaildirSourceTest : public TaildirFixture {};

TEST_F(TaildirSourceTest, ReadsWhatIsThereAndWhatComes) {
  append("a.log", "one\ntwo\n\n");
  tail();
  EXPECT_THAT(lines(3), ElementsAre("one", "two", ""));
  append("a.log", "three\n");
  append("b.log", "four\n");
  lines(5);
  EXPECT_THAT(bodies(), testing::UnorderedElementsAre("one", "two", "", "three", "four"));
}

// Flume's TestTaildirEventReader#testNewLineBoundaries.
TEST_F(TaildirSourceTest, ALoneCarriageReturnIsData) {
  append("a.log", "one\r\ntwo\rtwo\nthree\r\r\n\r\n\rfour\n");
  tail();
  EXPECT_THAT(lines(5), ElementsAre("one", "two\rtwo", "three\r", "", "\rfour"));
}

// Flume's #testBackoffWithoutNewLine.
TEST_F(TaildirSourceTest, WaitsForTheEndOfALine) {
  append("a.log", "one\ntw");
  tail();
  lines(1);
  append("a.log", "o\nthree\nfour");
  EXPECT_THAT(lines(3), ElementsAre("one", "two", "three"));
}

TEST_F(TaildirSourceTest, AQuietFileIsClosedAndItsRestIsALine) {
  append("a.log", "one\ntwo");
  tail({{"idleTimeout", "50"}});
  EXPECT_THAT(lines(2), ElementsAre("one", "two"));
  EXPECT_TRUE(eventually([&] { return gauge("OpenFileCount") == 0; }));
  append("a.log", "three\n");
  EXPECT_THAT(lines(3), ElementsAre("one", "two", "three"));
}

// Flume's #testByteOffsetHeader, with the other headers beside it.
TEST_F(TaildirSourceTest, GivesHeaders) {
  append("a.log", "12345\n\r\nabc\n");
  tail({{"byteOffsetHeader", "true"},
        {"fileHeader", "true"},
        {"fileHeaderKey", "path"},
        {"headers.g1.kind", "test"},
        {"batchSize", "2"}});
  lines(3);
  const std::string path = log("a.log").string();
  EXPECT_EQ(events[0].headers, (std::map<std::string, std::string>{
                                   {"byteoffset", "0"}, {"kind", "test"}, {"path", path}}));
  EXPECT_EQ(events[1].headers["byteoffset"], "6");
  EXPECT_EQ(events[2].headers["byteoffset"], "8");
  EXPECT_EQ(events[2].headers["path"], path);
}

TEST_F(TaildirSourceTest, GivesEachFileItsHeaders) {
  append("a.log", "a\n");
  append("b.txt", "b\n");
  tail({{"filegroups", "g1 g2"},
        {"filegroups.g2", log(".*\\.txt").string()},
        {"headers.g1.h", "1"},
        {"headers.g2.h", "2"},
        {"fileHeader", "true"}});
  lines(2);
  for (CollectedEvent& event : events) {
    EXPECT_EQ(event.headers["h"], event.body == "a" ? "1" : "2");
    EXPECT_EQ(event.headers["file"], log(event.body == "a" ? "a.log" : "b.txt").string());
  }
}

// Flume's TestTaildirSource#testRegexFileNameFilteringEndToEnd.
TEST_F(TaildirSourceTest, TakesFilesByTheirWholeName) {
  append("a.log", "a\n");
  append("a.log.1", "old\n");
  append("b.log", "b\n");
  append("c.log", "c\n");
  std::filesystem::create_directory(log("a.logs"));
  tail({{"filegroups.g1", log("[ab].log").string()}});
  lines(2);
  EXPECT_THAT(bodies(), testing::UnorderedElementsAre("a", "b"));
}

TEST_F(TaildirSourceTest, ReadsExpressionsAsJava) {
  append("APP-1.log", "a\n");
  append("app+.log", "b\n");
  append("apps.log", "c\n");
  append("app.txt", "d\n");
  tail({{"filegroups.g1", log("(?i)app-\\d++\\.log|\\Qapp+.\\E\\p{Alpha}+(?<!txt)").string()}});
  lines(2);
  EXPECT_THAT(bodies(), testing::UnorderedElementsAre("a", "b"));
}

// Flume's #testFileConsumeOrder.
TEST_F(TaildirSourceTest, TheFileWrittenToLongestAgoComesFirst) {
  append("a.log", "a1\na2\n");
  append("b.log", "b1\nb2\n");
  append("c.log", "c1\n");
  set_age("b.log", seconds(30));
  set_age("c.log", seconds(20));
  set_age("a.log", seconds(10));
  tail();
  EXPECT_THAT(lines(5), ElementsAre("b1", "b2", "c1", "a1", "a2"));
}

// Flume's #testMaxBatchCount.
TEST_F(TaildirSourceTest, FilesTakeTurns) {
  append("a.log", "a1\na2\na3\na4\na5\n");
  append("b.log", "b1\nb2\nb3\n");
  set_age("a.log", seconds(20));
  tail({{"batchSize", "1"}, {"maxBatchCount", "2"}});
  EXPECT_THAT(lines(8), ElementsAre("a1", "a2", "b1", "b2", "a3", "a4", "b3", "a5"));
  EXPECT_EQ(batch_sizes, std::vector<std::size_t>(8, 1));
}

TEST_F(TaildirSourceTest, ABatchIsNeverLargerThanAsked) {
  for (int i = 0; i < 1000; ++i) {
    append("a.log", "line\n");
  }
  tail({{"batchSize", "7"}});
  lines(1000);
  EXPECT_EQ(*std::max_element(batch_sizes.begin(), batch_sizes.end()), 7u);
}

// Case from the field: lines around 8 KiB, longer than any read, and a character across the edge.
TEST_F(TaildirSourceTest, TakesLinesOfAnyLength) {
  const Strings wanted{std::string(8191, 'a'), std::string(8190, 'b') + "\U0001F680",
                       std::string(3'000'000, 'c'), "end"};
  append("a.log", wanted[0] + "\r\n" + wanted[1] + "\n" + wanted[2] + "\n" + wanted[3] + "\n");
  tail();
  EXPECT_EQ(lines(4), wanted);
}

TEST_F(TaildirSourceTest, TakesALineThatGrowsSlowly) {
  tail();
  std::string line;
  for (int i = 0; i < 50; ++i) {
    append("a.log", std::string(9'000, 'x'));
    line += std::string(9'000, 'x');
    std::this_thread::sleep_for(milliseconds(1));
  }
  append("a.log", "\nnext\n");
  EXPECT_EQ(lines(2), (Strings{line, "next"}));
}

TEST_F(TaildirSourceTest, CutsALineWithoutEnd) {
  append("a.log", std::string(TailReader::kLongestLine + 10, 'x') + "\nnext\n");
  tail();
  EXPECT_THAT(lines(3), ElementsAre(std::string(TailReader::kLongestLine, 'x'),
                                    std::string(10, 'x'), "next"));
  EXPECT_EQ(metric("IncompleteEventCount"), 1u);
}

// Goal: no empty event behind a line of just that length, whichever its end, whenever that comes.
TEST_F(TaildirSourceTest, ALineOfTheLongestLengthIsOneEvent) {
  const std::string longest(TailReader::kLongestLine, 'x');
  append("a.log", longest + "\n" + longest + "\r\nnext\n" + longest);
  tail();
  lines(3);
  append("a.log", "\nlast\n");
  EXPECT_EQ(lines(5), (Strings{longest, longest, "next", longest, "last"}));
  EXPECT_EQ(events.size(), 5u);
}

}  // namespace
}  // namespace millrace
