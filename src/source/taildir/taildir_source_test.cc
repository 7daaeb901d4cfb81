#include "source/taildir/taildir_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "io/fake_file_system.h"
#include "source/taildir/taildir_fixture.h"

namespace millrace {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing_kit::eventually;

class TaildirSourceTest : public TaildirFixture {
 protected:
  void stop(TaildirSource& source) {
    source.stop(clock.steady() + seconds(10));
    collect();
  }
  std::string inode(std::string_view name) const {
    struct stat status {};
    EXPECT_EQ(::stat(log(name).c_str(), &status), 0);
    return std::to_string(status.st_ino);
  }
};

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

// ---- Positions ----

TEST_F(TaildirSourceTest, GoesOnWhereItWas) {
  append("a.log", "one\nhalf-");
  TaildirSource& source = tail();
  lines(1);
  stop(source);
  EXPECT_THAT(positions(), HasSubstr("\"pos\":4,"));
  append("a.log", "way\nthree\n");
  tail();
  EXPECT_THAT(lines(3), ElementsAre("one", "half-way", "three"));
}

TEST_F(TaildirSourceTest, MayBeStartedAgain) {
  append("a.log", "one\n");
  TaildirSource& source = tail();
  lines(1);
  stop(source);
  append("a.log", "two\n");
  ASSERT_TRUE(source.start().ok());
  EXPECT_THAT(lines(2), ElementsAre("one", "two"));
}

// Goal: a position never covers what the channel has not committed.
TEST_F(TaildirSourceTest, APositionWaitsForTheChannel) {
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

TEST_F(TaildirSourceTest, ReadsAgainWhatTheChannelRefused) {
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
TEST_F(TaildirSourceTest, TakesFlumesPositions) {
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
TEST_F(TaildirSourceTest, SkipsToTheEndOfUnknownFilesAlone) {
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
TEST_F(TaildirSourceTest, KeepsWhatItHasSkippedTo) {
  append("a.log", "skipped\n");
  tail({{"skipToEnd", "true"}, {"writePosInterval", "3600000"}});
  EXPECT_THAT(positions(), HasSubstr("\"pos\":8,"));
}

// Case from the field: a position file that is empty, cut or lacks a member kept Flume from
// starting. Goal: whatever is cut off, every line comes, once or twice.
TEST_F(TaildirSourceTest, StartsWithAPositionFileCutAnywhere) {
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

TEST_F(TaildirSourceTest, APositionFileIsOneSourcesAlone) {
  tail();
  auto other = make<TaildirSource>({{"filegroups", "g1"},
                                    {"filegroups.g1", "/tmp/x"},
                                    {"positionFile", position_file().native()}});
  const Result<> started = other->start();
  ASSERT_FALSE(started.ok());
  EXPECT_EQ(started.error().fault(), Fault::kTransient);
}

// ---- Renamed, emptied, replaced and removed files ----

TEST_F(TaildirSourceTest, ReadsARenamedFileToItsEnd) {
  append("a.log", "one\n");
  tail();
  lines(1);
  std::filesystem::rename(log("a.log"), log("a.log.1"));
  append("a.log", "new\n");
  append("a.log.1", "late\n");
  lines(3);
  EXPECT_THAT(bodies(), testing::UnorderedElementsAre("one", "new", "late"));
}

TEST_F(TaildirSourceTest, DoesNotReadARenamedFileAgain) {
  append("a.log", "one\n");
  tail({{"filegroups.g1", log("a\\.log.*").string()}, {"fileHeader", "true"}});
  lines(1);
  std::filesystem::rename(log("a.log"), log("a.log.1"));
  append("a.log", "two\n");
  append("a.log.1", "late\n");
  lines(3);
  EXPECT_THAT(bodies(), testing::UnorderedElementsAre("one", "two", "late"));
  EXPECT_TRUE(eventually([&] { return positions().find("a.log.1") != std::string::npos; }));
}

TEST_F(TaildirSourceTest, ReadsWhatWasRenamedWhileItDidNotRun) {
  append("a.log", "one\n");
  TaildirSource& first = tail();
  lines(1);
  stop(first);
  append("a.log", "late\n");
  std::filesystem::rename(log("a.log"), log("a.log.1"));
  append("a.log", "new\n");
  tail();
  lines(3);
  EXPECT_THAT(bodies(), testing::UnorderedElementsAre("one", "late", "new"));
}

// Into the folder of another group, there and back: one of them is listed first.
TEST_F(TaildirSourceTest, DoesNotReadAFileAgainThatIsMovedToAnotherFolder) {
  const More two{{"filegroups", "g1 g2"},
                 {"filegroups.g2", (folder / "old/.*\\.log").string()},
                 {"idleTimeout", "50"}};
  std::filesystem::create_directory(folder / "old");
  append("a.log", "one\n");
  append("b.log", "two\n");
  TaildirSource& first = tail(two);
  lines(2);
  const auto move = [&](const char* from, const char* to, const char* line) {
    ASSERT_TRUE(eventually([&] { return gauge("OpenFileCount") == 0; }));
    std::filesystem::rename(folder / from, folder / to);
    std::ofstream(folder / to, std::ios::app) << line << '\n';
  };
  move("logs/a.log", "old/a.log", "three");
  lines(3);
  move("old/a.log", "logs/a.log", "four");
  lines(4);
  stop(first);
  move("logs/b.log", "old/b.log", "five");
  tail(two);
  EXPECT_THAT(lines(5), ElementsAre("one", "two", "three", "four", "five"));
}

TEST_F(TaildirSourceTest, FollowsAFileThatIsRenamedAgainBeforeItsTurn) {
  use_channel(std::make_shared<CollectingChannel>(10, 10));
  append("a.log", "a\n");
  append("b.log", "b\n");
  TaildirSource& first = tail({{"batchSize", "10"}});
  lines(2);
  stop(first);
  for (int i = 0; i < 40; ++i) {
    append("a.log", "late\n");
  }
  append("b.log", "last\n");
  std::filesystem::rename(log("a.log"), log("a.log.1"));
  std::filesystem::rename(log("b.log"), log("b.log.1"));
  const std::uint64_t before = metric("AppendBatchReceivedCount");
  tail({{"batchSize", "10"}});
  // The channel is soon full, and b.log.1 has to wait.
  EXPECT_TRUE(eventually([&] { return metric("AppendBatchReceivedCount") > before; }));
  std::filesystem::rename(log("b.log.1"), log("b.log.2"));
  EXPECT_EQ(lines(43).back(), "last");
}

// A file system gives the number of an inode again, soon and often.
TEST_F(TaildirSourceTest, DoesNotReadAFileOfNoGroupThatHasTheInodeOfAnOldOne) {
  append("a.log", "one\n");
  TaildirSource& first = tail();
  lines(1);
  stop(first);
  const std::string old_inode = inode("a.log");
  append("other.txt", "in no group\n");
  std::filesystem::remove(log("a.log"));
  for (const char* suffix : {"", ".heads"}) {
    std::filesystem::path path = position_file();
    path += suffix;
    std::string text = text_of(path);
    text.replace(text.find(old_inode), old_inode.size(), inode("other.txt"));
    std::ofstream(path, std::ios::binary) << text;
  }
  append("b.log", "two\n");
  tail();
  EXPECT_THAT(lines(2), ElementsAre("one", "two"));
  EXPECT_EQ(metric("FileRestartCount"), 0u);
}

TEST_F(TaildirSourceTest, ReadsAnEmptiedFileFromItsBeginning) {
  append("a.log", "a longer first line\n");
  tail();
  lines(1);
  std::filesystem::resize_file(log("a.log"), 0);
  append("a.log", "new\n");
  EXPECT_THAT(lines(2), ElementsAre("a longer first line", "new"));
  EXPECT_EQ(metric("FileRestartCount"), 1u);
}

// Goal: a file that was emptied and has grown beyond the position is not taken for the old one.
TEST_F(TaildirSourceTest, KnowsAFileByHowItBegins) {
  append("a.log", "10:00 first\n");
  TaildirSource& first = tail();
  lines(1);
  stop(first);
  std::filesystem::resize_file(log("a.log"), 0);
  append("a.log", "11:00 other\n11:01 and more\n");
  tail();
  EXPECT_THAT(lines(3), ElementsAre("10:00 first", "11:00 other", "11:01 and more"));
}

TEST_F(TaildirSourceTest, ReadsARemovedFileToItsEnd) {
  append("a.log", "one\n");
  tail({{"idleTimeout", "500"}});
  lines(1);
  std::ofstream writer(log("a.log"), std::ios::app);
  std::filesystem::remove(log("a.log"));
  writer << "late\n" << std::flush;
  EXPECT_THAT(lines(2), ElementsAre("one", "late"));
  EXPECT_TRUE(eventually([&] { return gauge("TailedFileCount") == 0; }));
}

TEST_F(TaildirSourceTest, AFileWithTwoNamesIsReadOnce) {
  append("a.log", "one\n");
  std::filesystem::create_hard_link(log("a.log"), log("b.log"));
  tail();
  lines(1);
  append("c.log", "two\n");
  append("b.log", "three\n");
  lines(3);
  EXPECT_THAT(bodies(), testing::UnorderedElementsAre("one", "two", "three"));
}

TEST_F(TaildirSourceTest, FollowsLinks) {
  std::ofstream(folder / "target") << "one\n";
  std::filesystem::create_symlink(folder / "target", log("a.log"));
  tail({{"maxBackoffSleep", "3600000"}});  // Only what the kernel tells.
  lines(1);
  std::ofstream(folder / "target", std::ios::app) << "two\n";
  EXPECT_THAT(lines(2), ElementsAre("one", "two"));
}

TEST_F(TaildirSourceTest, FollowsALinkWhoseFileComesLater) {
  std::filesystem::create_symlink(folder / "real", log("a.log"));
  tail({{"maxBackoffSleep", "50"}});
  append("b.log", "one\n");
  lines(1);
  append("../real", "two\n");
  EXPECT_THAT(lines(2), ElementsAre("one", "two"));
}

// After a kill what was not known would be passed over.
TEST_F(TaildirSourceTest, KeepsAtOnceThatANewFileIsKnownWhereItWouldBeSkipped) {
  tail({{"skipToEnd", "true"}, {"writePosInterval", "3600000"}});
  append("a.log", "one\n");
  lines(1);
  EXPECT_NE(positions().find("a.log"), std::string::npos);
}

TEST_F(TaildirSourceTest, WaitsForAFolder) {
  const auto late = folder / "late";
  TaildirSource& source =
      tail({{"filegroups.g1", (late / ".*").string()}, {"maxBackoffSleep", "20"}});
  EXPECT_TRUE(eventually([&] { return !source.health().ok(); }));
  EXPECT_THAT(source.health().error().message(), HasSubstr(late.string()));
  std::filesystem::create_directory(late);
  std::ofstream(late / "a") << "one\n";
  lines(1);
  EXPECT_TRUE(eventually([&] { return source.health().ok(); }));
}

TEST_F(TaildirSourceTest, PassesOverWhatIsNoFile) {
  ASSERT_EQ(::mkfifo(log("pipe.log").c_str(), 0600), 0);
  append("a.log", "one\n");
  tail();
  EXPECT_THAT(lines(1), ElementsAre("one"));
}

// Flume's #testErrorCounterEventReadFail and #testErrorCounterFileHandlingFail. The kernel tells
// nothing of files in memory: they are looked at from time to time.
TEST_F(TaildirSourceTest, TriesFilesAgainThatCannotBeRead) {
  const auto fake = std::make_shared<FakeFileSystem>();
  FakeFileSystem& files = *fake;
  ASSERT_TRUE(files.create_directories("/logs").ok());
  files.put("/logs/a.log", "one\n");
  files.fail(FakeFileSystem::Operation::kRead, EIO, 0, 1, "/logs");
  files.fail(FakeFileSystem::Operation::kOpen, EACCES, 0, 1, "/logs");
  use_files(fake);
  tail({{"filegroups.g1", "/logs/.*"}, {"maxBackoffSleep", "5"}, {"idleTimeout", "50"}});
  EXPECT_THAT(lines(1), ElementsAre("one"));
  EXPECT_TRUE(eventually([&] { return gauge("OpenFileCount") == 0; }));
  ASSERT_TRUE(files.open("/logs/a.log", OpenMode::kReadWrite).value()->write_at("two\n", 4).ok());
  EXPECT_THAT(lines(2), ElementsAre("one", "two"));
  EXPECT_EQ(metric("EventReadFail"), 2u);
}

// ---- Long lines, many files, little room ----

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

// Flume's #testLargeNumberOfFiles.
TEST_F(TaildirSourceTest, ReadsAThousandFiles) {
  std::vector<std::string> wanted;
  for (int i = 0; i < 1000; ++i) {
    wanted.push_back("data" + std::to_string(i));
    append(wanted.back() + ".log", wanted.back() + "\n");
  }
  tail();
  lines(1000);
  EXPECT_THAT(bodies(), testing::UnorderedElementsAreArray(wanted));
  EXPECT_TRUE(eventually([&] { return gauge("TailedFileCount") == 1000; }));
}

TEST_F(TaildirSourceTest, WaitsWhileTheChannelIsFull) {
  use_channel(std::make_shared<CollectingChannel>(100, 100));
  for (int i = 0; i < 5000; ++i) {
    append("a.log", std::to_string(i) + "\n");
  }
  tail({{"batchSize", "100"}});
  const Strings all = lines(5000);
  for (int i = 0; i < 5000; ++i) {
    ASSERT_EQ(all[static_cast<std::size_t>(i)], std::to_string(i));
  }
}

TEST_F(TaildirSourceTest, WaitsWhileTheMemoryForEventsIsSpent) {
  limit_memory(SlabPool::kSlabBytes * 3);
  for (int i = 0; i < 20'000; ++i) {
    append("a.log", std::string(100, 'x') + "\n");
  }
  tail();
  EXPECT_TRUE(waits_for_memory());
  lines(20'000);
  EXPECT_TRUE(has_memory());
}

TEST_F(TaildirSourceTest, StopsInTimeWhileTheChannelIsFull) {
  use_channel(std::make_shared<CollectingChannel>(10, 10));
  for (int i = 0; i < 1000; ++i) {
    append("a.log", "line\n");
  }
  TaildirSource& source = tail({{"batchSize", "10"}});
  ASSERT_TRUE(eventually([&] { return metric("EventReceivedCount") >= 20; }));
  const auto begin = clock.steady();
  source.stop(begin + milliseconds(200));
  EXPECT_LT(clock.steady() - begin, seconds(5));
  EXPECT_THAT(positions(), HasSubstr("\"pos\":50,"));
}

TEST_F(TaildirSourceTest, SaysThatPositionsCannotBeKept) {
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

// ---- Keys ----

TEST_F(TaildirSourceTest, RefusesBadKeys) {
  EXPECT_EQ(faults<TaildirSource>({}), 1u);
  EXPECT_EQ(faults<TaildirSource>({{"filegroups", "g1 g2"}, {"filegroups.g1", "/x/.*"}}), 1u);
  EXPECT_EQ(faults<TaildirSource>({{"filegroups", "g1"}, {"filegroups.g1", "/x/"}}), 1u);
  EXPECT_EQ(faults<TaildirSource>({{"filegroups", "g1"}, {"filegroups.g1", "/x/(a"}}), 1u);
  EXPECT_EQ(faults<TaildirSource>({{"filegroups", "g1"}, {"filegroups.g1", "/x/a"}}), 0u);
}

TEST(TaildirConfigTest, ReadsAsFlume) {
  TaildirConfig config;
  EXPECT_EQ(config.events_per_visit(), UINT64_MAX);
  config.max_batch_count = 3;
  EXPECT_EQ(config.events_per_visit(), 300u);
  config.batch_size = 0;
  EXPECT_EQ(config.events_per_put(), 100u);
  config.max_batch_count = -1;
  EXPECT_EQ(config.events_per_visit(), UINT64_MAX);
}

}  // namespace
}  // namespace millrace
