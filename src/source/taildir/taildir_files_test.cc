#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/fake_file_system.h"
#include "source/taildir/taildir_fixture.h"

namespace millrace {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_kit::eventually;

class TaildirFilesTest : public TaildirFixture {};

TEST_F(TaildirFilesTest, ReadsARenamedFileToItsEnd) {
  append("a.log", "one\n");
  tail();
  lines(1);
  std::filesystem::rename(log("a.log"), log("a.log.1"));
  append("a.log", "new\n");
  append("a.log.1", "late\n");
  lines(3);
  EXPECT_THAT(bodies(), testing::UnorderedElementsAre("one", "new", "late"));
}

TEST_F(TaildirFilesTest, DoesNotReadARenamedFileAgain) {
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

TEST_F(TaildirFilesTest, ReadsWhatWasRenamedWhileItDidNotRun) {
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
TEST_F(TaildirFilesTest, DoesNotReadAFileAgainThatIsMovedToAnotherFolder) {
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

// A folder that is large, or far away, is listed a while after the one that the file has left.
TEST_F(TaildirFilesTest, DoesNotReadAFileAgainThatNoFolderShowedForAWhile) {
  append("a.log", "one\n");
  tail({{"idleTimeout", "50"}});
  lines(1);
  const auto no_longer = [&](const char* metric) {
    return eventually([&] { return gauge(metric) == 0; });
  };
  ASSERT_TRUE(no_longer("OpenFileCount"));
  std::filesystem::rename(log("a.log"), folder / "away");
  ASSERT_TRUE(no_longer("TailedFileCount"));
  std::filesystem::rename(folder / "away", log("b.log"));
  append("c.log", "two\n");
  EXPECT_THAT(lines(2), ElementsAre("one", "two"));
  append("b.log", "three\n");
  EXPECT_THAT(lines(3), ElementsAre("one", "two", "three"));
}

// It may be another one, with the number of the inode of the first.
TEST_F(TaildirFilesTest, ReadsAFileFromItsBeginningThatWasWrittenToWhileItWasAway) {
  append("a.log", "one\n");
  tail({{"idleTimeout", "50"}});
  lines(1);
  ASSERT_TRUE(eventually([&] { return gauge("OpenFileCount") == 0; }));
  std::filesystem::rename(log("a.log"), folder / "away");
  ASSERT_TRUE(eventually([&] { return gauge("TailedFileCount") == 0; }));
  std::ofstream(folder / "away", std::ios::app) << "two\n";
  std::filesystem::rename(folder / "away", log("b.log"));
  EXPECT_THAT(lines(3), ElementsAre("one", "one", "two"));
}

TEST_F(TaildirFilesTest, FollowsAFileThatIsRenamedAgainBeforeItsTurn) {
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
TEST_F(TaildirFilesTest, DoesNotReadAFileOfNoGroupThatHasTheInodeOfAnOldOne) {
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

TEST_F(TaildirFilesTest, ReadsAnEmptiedFileFromItsBeginning) {
  append("a.log", "a longer first line\n");
  tail();
  lines(1);
  std::filesystem::resize_file(log("a.log"), 0);
  append("a.log", "new\n");
  EXPECT_THAT(lines(2), ElementsAre("a longer first line", "new"));
  EXPECT_EQ(metric("FileRestartCount"), 1u);
}

// Goal: a file that was emptied and has grown beyond the position is not taken for the old one.
TEST_F(TaildirFilesTest, KnowsAFileByHowItBegins) {
  append("a.log", "10:00 first\n");
  TaildirSource& first = tail();
  lines(1);
  stop(first);
  std::filesystem::resize_file(log("a.log"), 0);
  append("a.log", "11:00 other\n11:01 and more\n");
  tail();
  EXPECT_THAT(lines(3), ElementsAre("10:00 first", "11:00 other", "11:01 and more"));
}

TEST_F(TaildirFilesTest, ReadsARemovedFileToItsEnd) {
  append("a.log", "one\n");
  tail({{"idleTimeout", "500"}});
  lines(1);
  std::ofstream writer(log("a.log"), std::ios::app);
  std::filesystem::remove(log("a.log"));
  writer << "late\n" << std::flush;
  EXPECT_THAT(lines(2), ElementsAre("one", "late"));
  EXPECT_TRUE(eventually([&] { return gauge("TailedFileCount") == 0; }));
}

TEST_F(TaildirFilesTest, AFileWithTwoNamesIsReadOnce) {
  append("a.log", "one\n");
  std::filesystem::create_hard_link(log("a.log"), log("b.log"));
  tail();
  lines(1);
  append("c.log", "two\n");
  append("b.log", "three\n");
  lines(3);
  EXPECT_THAT(bodies(), testing::UnorderedElementsAre("one", "two", "three"));
}

TEST_F(TaildirFilesTest, FollowsLinks) {
  std::ofstream(folder / "target") << "one\n";
  std::filesystem::create_symlink(folder / "target", log("a.log"));
  tail({{"maxBackoffSleep", "3600000"}});  // Only what the kernel tells.
  lines(1);
  std::ofstream(folder / "target", std::ios::app) << "two\n";
  EXPECT_THAT(lines(2), ElementsAre("one", "two"));
}

TEST_F(TaildirFilesTest, FollowsALinkWhoseFileComesLater) {
  std::filesystem::create_symlink(folder / "real", log("a.log"));
  tail({{"maxBackoffSleep", "50"}});
  append("b.log", "one\n");
  lines(1);
  append("../real", "two\n");
  EXPECT_THAT(lines(2), ElementsAre("one", "two"));
}

TEST_F(TaildirFilesTest, WaitsForAFolder) {
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

TEST_F(TaildirFilesTest, PassesOverWhatIsNoFile) {
  ASSERT_EQ(::mkfifo(log("pipe.log").c_str(), 0600), 0);
  append("a.log", "one\n");
  tail();
  EXPECT_THAT(lines(1), ElementsAre("one"));
}

// Flume's #testErrorCounterEventReadFail and #testErrorCounterFileHandlingFail. The kernel tells
// nothing of files in memory: they are looked at from time to time.
TEST_F(TaildirFilesTest, TriesFilesAgainThatCannotBeRead) {
  const auto fake = std::make_shared<FakeFileSystem>();
  FakeFileSystem& files = *fake;
  ASSERT_TRUE(files.create_directories("/logs").ok());
  files.put("/logs/a.log", "one\n");
  files.fail(FakeFileSystem::Operation::kRead, EIO, 0, 1, "/logs");
  files.fail(FakeFileSystem::Operation::kOpen, EACCES, 0, 2, "/logs");  // To know it, to read it.
  use_files(fake);
  tail({{"filegroups.g1", "/logs/.*"}, {"maxBackoffSleep", "5"}, {"idleTimeout", "50"}});
  EXPECT_THAT(lines(1), ElementsAre("one"));
  EXPECT_TRUE(eventually([&] { return gauge("OpenFileCount") == 0; }));
  ASSERT_TRUE(files.open("/logs/a.log", OpenMode::kReadWrite).value()->write_at("two\n", 4).ok());
  EXPECT_THAT(lines(2), ElementsAre("one", "two"));
  EXPECT_EQ(metric("EventReadFail"), 2u);
}

TEST_F(TaildirFilesTest, SaysHowManyFilesItCannotRead) {
  const auto disk = std::make_shared<FakeFileSystem>();
  use_files(disk);
  ASSERT_TRUE(disk->create_directories(folder / "logs").ok());
  for (const char* name : {"a.log", "b.log", "c.log"}) {
    disk->put(log(name), std::string(name) + "\n");
    disk->fail(FakeFileSystem::Operation::kOpen, EACCES, 0, UINT64_MAX, log(name));
  }
  disk->put(log("d.log"), "d.log\n");
  TaildirSource& source = tail({{"maxBackoffSleep", "20"}});
  EXPECT_THAT(lines(1), ElementsAre("d.log"));
  EXPECT_TRUE(eventually([&] {
    const Result<> health = source.health();
    return !health.ok() && health.error().message().find("3 files cannot") != std::string::npos;
  }));
  EXPECT_THAT(source.health().error().message(), HasSubstr("a.log"));
  disk->heal();
  EXPECT_EQ(lines(4).size(), 4u);
  EXPECT_TRUE(eventually([&] { return source.health().ok(); }));
}

TEST_F(TaildirFilesTest, SaysWhichNameItsExpressionGivesUpOn) {
  append("a.log", "one\n");
  append(std::string(60, 'x') + "!", "two\n");
  TaildirSource& source =
      tail({{"filegroups", "g1 g2"}, {"filegroups.g2", log("(x+x+)+[yz]").string()}});
  EXPECT_THAT(lines(1), ElementsAre("one"));
  EXPECT_TRUE(eventually([&] {
    const Result<> health = source.health();
    return !health.ok() && health.error().message().find("of group g2") != std::string::npos;
  }));
}

}  // namespace
}  // namespace millrace
