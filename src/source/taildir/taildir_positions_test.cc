#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "source/taildir/taildir_fixture.h"

namespace millrace {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing_kit::eventually;

class TaildirPositionsTest : public TaildirFixture {};

TEST_F(TaildirPositionsTest, GoesOnWhereItWas) {
  append("a.log", "one\nhalf-");
  TaildirSource& source = tail();
  lines(1);
  stop(source);
  EXPECT_THAT(positions(), HasSubstr("\"pos\":4,"));
  append("a.log", "way\nthree\n");
  tail();
  EXPECT_THAT(lines(3), ElementsAre("one", "half-way", "three"));
}

TEST_F(TaildirPositionsTest, MayBeStartedAgain) {
  append("a.log", "one\n");
  TaildirSource& source = tail();
  lines(1);
  stop(source);
  append("a.log", "two\n");
  ASSERT_TRUE(source.start().ok());
  EXPECT_THAT(lines(2), ElementsAre("one", "two"));
}

// Goal: a position never covers what the channel has not committed.
TEST_F(TaildirPositionsTest, APositionWaitsForTheChannel) {
  channel->hold_answers();
  append("a.log", "one\ntwo\n");
  tail({{"batchSize", "1"}});
  ASSERT_TRUE(eventually([&] { return channel->unanswered() == 2; }));
  std::this_thread::sleep_for(milliseconds(60));  // Three times as long as it waits to write.
  EXPECT_THAT(positions(), HasSubstr("\"pos\":0,"));
  channel->answer({});
  EXPECT_TRUE(eventually([&] { return positions().find("\"pos\":4,") != std::string::npos; }));
  channel->answer({});
  EXPECT_TRUE(eventually([&] { return positions().find("\"pos\":8,") != std::string::npos; }));
  EXPECT_EQ(metric("AppendBatchAcceptedCount"), 2u);
}

TEST_F(TaildirPositionsTest, ReadsAgainWhatTheChannelRefused) {
  channel->hold_answers();
  append("a.log", "one\ntwo\n");
  tail({{"batchSize", "1"}, {"backoffSleepIncrement", "5"}});
  ASSERT_TRUE(eventually([&] { return channel->unanswered() == 2; }));
  channel->answer(rejected("too large"));
  channel->answer({});
  ASSERT_TRUE(eventually([&] { return channel->unanswered() == 2; }));
  channel->answer({});
  channel->answer({});
  EXPECT_THAT(lines(4), ElementsAre("one", "two", "one", "two"));
  EXPECT_TRUE(eventually([&] { return positions().find("\"pos\":8,") != std::string::npos; }));
}

// Flume's TestTaildirEventReader#testLoadPositionFile.
TEST_F(TaildirPositionsTest, TakesFlumesPositions) {
  Strings entries;
  for (const char* const name : {"a.log", "b.log", "c.log"}) {
    append(name, std::string(name) + " 1\n" + name + " 2\n");
    struct stat status {};
    ASSERT_EQ(::stat(log(name).c_str(), &status), 0);
    // Of the third file it is beyond the end: it was replaced.
    entries.push_back("{\"inode\":" + std::to_string(status.st_ino) +
                      ",\"pos\":" + (entries.size() == 2 ? "800" : "8") + ",\"file\":\"" +
                      log(name).string() + "\"}");
  }
  write_positions("[" + entries[0] + "," + entries[1] + "," + entries[2] + "]");
  tail();
  lines(4);
  EXPECT_THAT(bodies(), testing::UnorderedElementsAre("a.log 2", "b.log 2", "c.log 1", "c.log 2"));
}

// Flume's #testSkipToEndPosition.
TEST_F(TaildirPositionsTest, SkipsToTheEndOfUnknownFilesAlone) {
  append("a.log", "old\n");
  TaildirSource& first = tail();
  lines(1);
  stop(first);
  append("a.log", "known\n");
  append("b.log", "skipped\n");
  TaildirSource& second = tail({{"skipToEnd", "true"}});
  lines(2);
  append("b.log", "new\n");
  append("c.log", "later\n");
  lines(4);
  stop(second);
  EXPECT_THAT(bodies(), testing::UnorderedElementsAre("old", "known", "new", "later"));
}

// Goal: what is skipped is known at once: a kill before the first line must not skip more.
TEST_F(TaildirPositionsTest, KeepsWhatItHasSkippedTo) {
  append("a.log", "skipped\n");
  tail({{"skipToEnd", "true"}, {"writePosInterval", "3600000"}});
  EXPECT_THAT(positions(), HasSubstr("\"pos\":8,"));
}

// Goal: a file is known before its first line is put. Method: the position files as they were then,
// as a kill leaves them; and the file renamed, to a name that is not tailed, while nobody looks.
TEST_F(TaildirPositionsTest, FindsANewFileThatWasRenamedAfterAKill) {
  const auto state = folder / "state";
  TaildirSource& first = tail({{"writePosInterval", "3600000"}});
  append("a.log", "one\n");
  lines(1);
  std::filesystem::copy(state, folder / "kept");
  stop(first);
  std::filesystem::remove_all(state);
  std::filesystem::rename(folder / "kept", state);
  append("a.log", "two\n");
  std::filesystem::rename(log("a.log"), log("a.old"));
  tail();
  EXPECT_THAT(lines(3), ElementsAre("one", "one", "two"));
}

// Case from the field: a position file that is empty, cut or lacks a member kept Flume from
// starting. Goal: whatever is cut off, every line comes, once or twice.
TEST_F(TaildirPositionsTest, StartsWithAPositionFileCutAnywhere) {
  append("a.log", "one\ntwo\n");
  TaildirSource& first = tail();
  lines(2);
  stop(first);
  const std::string whole = positions();
  for (std::size_t size = 0; size <= whole.size(); size += size < 4 ? 1 : 7) {
    events.clear();
    std::filesystem::remove(position_file().string() + ".heads");
    write_positions(whole.substr(0, size));
    append("a.log", "more\n");
    TaildirSource& source = tail({{"skipToEnd", size > 0 ? "true" : "false"}});
    ASSERT_TRUE(eventually([&] {
      collect();
      return !events.empty() && events.back().body == "more";
    })) << size;
    stop(source);
  }
}

TEST_F(TaildirPositionsTest, APositionFileIsOneSourcesAlone) {
  tail();
  auto other = make<TaildirSource>({{"filegroups", "g1"},
                                    {"filegroups.g1", "/tmp/x"},
                                    {"positionFile", position_file().native()}});
  const Result<> started = other->start();
  ASSERT_FALSE(started.ok());
  EXPECT_EQ(started.error().fault(), Fault::kTransient);
}

// After a kill what was not known would be passed over.
TEST_F(TaildirPositionsTest, KeepsAtOnceThatANewFileIsKnownWhereItWouldBeSkipped) {
  tail({{"skipToEnd", "true"}, {"writePosInterval", "3600000"}});
  append("a.log", "one\n");
  lines(1);
  EXPECT_NE(positions().find("a.log"), std::string::npos);
}

TEST_F(TaildirPositionsTest, SaysThatPositionsCannotBeKept) {
  append("a.log", "one\n");
  TaildirSource& source = tail();
  lines(1);
  std::filesystem::remove_all(folder / "state");
  append("a.log", "two\n");
  lines(2);
  EXPECT_TRUE(eventually([&] { return !source.health().ok(); }));
  EXPECT_THAT(source.health().error().message(), HasSubstr("p.json"));
  std::filesystem::create_directory(folder / "state");
  EXPECT_TRUE(eventually([&] { return source.health().ok(); }));
  EXPECT_THAT(positions(), HasSubstr("\"pos\":8,"));
}

}  // namespace
}  // namespace millrace
