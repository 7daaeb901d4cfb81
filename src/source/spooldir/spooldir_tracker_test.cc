// Goal: reading goes on where it was left, whoever left it, and whatever became of the tracker
// file and of the disk.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <fstream>
#include <thread>

#include "io/fake_file_system.h"
#include "source/source_fixture.h"
#include "source/spooldir/spooldir_source.h"

namespace millrace {
namespace {

using std::chrono::seconds;
using testing_kit::eventually;

constexpr std::string_view kFolder = "/tmp/golden-spool";
constexpr std::string_view kTracker = "/tmp/golden-spool/.flumespool/.flumespool-main.meta";

class SpooldirTrackerTest : public SourceFixture {
 protected:
  SpooldirTrackerTest() {
    use_files(disk_);
    EXPECT_TRUE(disk_->create_directories(std::string(kFolder) + "/.flumespool").ok());
  }
  static std::string at(std::string_view name) {
    return std::string(kFolder) + "/" + std::string(name);
  }
  SpooldirSource& spool(std::string_view batch_size = "100") {
    return start<SpooldirSource>(
        {{"spoolDir", kFolder}, {"pollDelay", "5"}, {"batchSize", batch_size}});
  }
  void stop(SpooldirSource& source) {
    source.stop(clock.steady() + seconds(10));
    collect();
  }
  bool is_done(std::string_view name) const {
    return eventually([&] { return disk_->exists(at(name) + ".COMPLETED"); });
  }
  // Lines of which the first two are committed, as a kill leaves them.
  static constexpr std::string_view kText = "one\ntwo\nthree\nfour\n";
  std::string tracker_behind_two_lines() {
    disk_->put(at("a"), kText);
    TrackerFile tracker(*disk_, kTracker);
    const SpooledIdentity identity = identity_of(disk_->status(at("a")).value());
    EXPECT_TRUE(tracker.store(at("a"), identity, 4).ok());
    EXPECT_TRUE(tracker.store(at("a"), identity, 8).ok());
    return disk_->text(kTracker);
  }

  FakeClock disk_clock_;  // Stands still: a file that is put anew is the same one.
  const std::shared_ptr<FakeFileSystem> disk_ = std::make_shared<FakeFileSystem>(1, &disk_clock_);
};

// tests/golden/spooldir/README.md says what Flume had read.
TEST_F(SpooldirTrackerTest, GoesOnWhereFlumeStopped) {
  std::ifstream golden(MILLRACE_SOURCE_DIR "/tests/golden/spooldir/flume.meta", std::ios::binary);
  const std::string meta{std::istreambuf_iterator<char>(golden), {}};
  ASSERT_FALSE(meta.empty());
  std::vector<std::string> want;
  std::string text;
  for (int i = 0; i < 1500; ++i) {
    const std::string line = "line " + std::to_string(i) + " gr\u00fc\u00dfe";
    text += line + "\n";
    if (i >= 1000) {
      want.push_back(line);
    }
  }
  disk_->put(at("lines.log"), text);
  disk_->put(kTracker, meta);
  SpooldirSource& source = spool();
  EXPECT_TRUE(is_done("lines.log"));
  stop(source);
  EXPECT_EQ(bodies(), want);
}

// Goal: whatever a crash or a full disk left of the tracker file, the source starts, says so, and
// loses nothing; more is repeated than is committed at most from where the last whole position is.
TEST_F(SpooldirTrackerTest, StartsWithATrackerThatIsCutAnywhere) {
  const std::string whole = tracker_behind_two_lines();
  std::size_t goes_on = 0;
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    SCOPED_TRACE(size);
    disk_->put(at("a"), kText);
    disk_->put(kTracker, whole.substr(0, size));
    events.clear();
    SpooldirSource& source = spool();
    ASSERT_TRUE(is_done("a"));
    stop(source);
    ASSERT_GE(events.size(), 2u);
    ASSERT_LE(events.size(), 4u);
    EXPECT_EQ(events[events.size() - 2].body, "three");
    EXPECT_EQ(events.back().body, "four");
    goes_on += events.size() < 4 ? 1 : 0;
    ASSERT_TRUE(disk_->remove(at("a.COMPLETED")).ok());
  }
  EXPECT_GT(goes_on, 1u);
}

// Goal: of two files that were set aside neither comes again from its begin after a restart, and
// nothing is kept of what is done or gone.
TEST_F(SpooldirTrackerTest, GoesOnInEachFileThatWasSetAside) {
  disk_->put(at("a"), "a1\na2\n\xFF\n");
  disk_->put(at("b"), "b1\nb2\nb3\n\xFF\nb4\n");
  disk_->put(at("b.COMPLETED"), "");
  disk_->put(at("c"), "c1\n");
  SpooldirSource& source = spool();
  ASSERT_TRUE(is_done("c"));
  stop(source);
  EXPECT_EQ(bodies(), (std::vector<std::string>{"a1", "a2", "b1", "b2", "b3", "c1"}));
  events.clear();
  ASSERT_TRUE(disk_->remove(at("b.COMPLETED")).ok());
  SpooldirSource& lenient = start<SpooldirSource>(
      {{"spoolDir", kFolder}, {"pollDelay", "5"}, {"decodeErrorPolicy", "IGNORE"}});
  ASSERT_TRUE(is_done("b"));
  stop(lenient);
  EXPECT_EQ(bodies(), (std::vector<std::string>{"", "", "b4"}));
  EXPECT_EQ(disk_->list(at(".flumespool")).value().size(), 0u);
}

// Goal: what was put behind the last position that the tracker file has is not put again when the
// file was set aside at its end, as its name was used before.
TEST_F(SpooldirTrackerTest, KnowsTheEndOfAFileThatCannotBeMarked) {
  disk_->put(at("a"), kText);
  disk_->put(at("a.COMPLETED"), "");
  SpooldirSource& source = spool("3");
  ASSERT_TRUE(collected(4));
  ASSERT_TRUE(eventually([&] { return !source.health().ok(); }));
  stop(source);
  ASSERT_TRUE(disk_->remove(at("a.COMPLETED")).ok());
  SpooldirSource& again = spool("3");
  ASSERT_TRUE(is_done("a"));
  stop(again);
  EXPECT_EQ(events.size(), 4u);
}

TEST_F(SpooldirTrackerTest, MarksAFileWhenItsNameIsFree) {
  disk_->put(at("a"), kText);
  disk_->put(at("a.COMPLETED"), "");
  SpooldirSource& source = spool("3");
  ASSERT_TRUE(eventually([&] { return !source.health().ok(); }));
  ASSERT_TRUE(disk_->remove(at("a.COMPLETED")).ok());
  EXPECT_TRUE(is_done("a"));
  EXPECT_TRUE(eventually([&] { return source.health().ok(); }));
  stop(source);
  EXPECT_EQ(events.size(), 4u);
}

// As between `mv` and `chmod`.
TEST_F(SpooldirTrackerTest, ReadsAFileWhenItMayBeOpened) {
  disk_->put(at("a"), kText);
  disk_->put(at("b"), "b\n");
  disk_->fail(FakeFileSystem::Operation::kOpen, EACCES, 0, 3, at("a"));
  SpooldirSource& source = spool();
  EXPECT_TRUE(is_done("b"));
  EXPECT_TRUE(is_done("a"));
  EXPECT_TRUE(eventually([&] { return source.health().ok(); }));
  stop(source);
  EXPECT_EQ(events.size(), 5u);
  EXPECT_EQ(metric("EventReadFail"), 1u);
}

// An empty file, of which no position tells that it was read, is one event all the same.
TEST_F(SpooldirTrackerTest, MarksAFileWhenItMayBeRenamed) {
  disk_->put(at("a"), kText);
  disk_->put(at("empty"), "");
  disk_->fail(FakeFileSystem::Operation::kRename, EACCES, 0, 6, kFolder);
  SpooldirSource& source = spool();
  EXPECT_TRUE(is_done("a"));
  EXPECT_TRUE(is_done("empty"));
  stop(source);
  EXPECT_EQ(events.size(), 5u);
}

TEST_F(SpooldirTrackerTest, SaysWhichFolderIsNotListed) {
  ASSERT_TRUE(disk_->create_directories(at("sub")).ok());
  disk_->put(at("sub/a"), "a\n");
  disk_->put(at("b"), "b\n");
  disk_->fail(FakeFileSystem::Operation::kList, EACCES, 0, UINT64_MAX, at("sub"));
  SpooldirSource& source = start<SpooldirSource>(
      {{"spoolDir", kFolder}, {"pollDelay", "5"}, {"recursiveDirectorySearch", "true"}});
  EXPECT_TRUE(is_done("b"));
  EXPECT_TRUE(eventually([&] {
    const Result<> health = source.health();
    return !health.ok() && health.error().message().find(at("sub")) != std::string::npos;
  }));
  disk_->heal();
  EXPECT_TRUE(is_done("sub/a"));
  EXPECT_TRUE(eventually([&] { return source.health().ok(); }));
}

TEST_F(SpooldirTrackerTest, SaysWhichNameItsPatternGivesUpOn) {
  const std::string name(60, 'x');
  disk_->put(at(name + "!"), "a\n");
  SpooldirSource& source = start<SpooldirSource>(
      {{"spoolDir", kFolder}, {"pollDelay", "5"}, {"ignorePattern", "(x+x+)+[yz]"}});
  EXPECT_TRUE(eventually([&] {
    const Result<> health = source.health();
    return !health.ok() && health.error().message().find("ignorePattern") != std::string::npos;
  }));
}

// Goal: a folder that is slow to list is listed for many files at once, whatever the poll delay,
// and files that are done cost no more than their names. Method: count the calls.
TEST_F(SpooldirTrackerTest, ListsALargeFolderNowAndThen) {
  constexpr int kFiles = 100;
  for (int i = 0; i < kFiles; ++i) {
    disk_->put(at("f" + std::to_string(i)), "x\n");
    disk_->put(at("done" + std::to_string(i) + ".COMPLETED"), "x\n");
  }
  std::atomic<int> lists = 0;
  std::atomic<int> looks_at_done = 0;
  disk_->on_operation([&](const FakeFileSystem::Call& call) {
    if (call.operation == FakeFileSystem::Operation::kList && call.path == kFolder) {
      ++lists;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));  // A slow disk.
    }
    looks_at_done += call.operation == FakeFileSystem::Operation::kStatus &&
                             call.path.filename().string().starts_with("done")
                         ? 1
                         : 0;
  });
  SpooldirSource& source = spool();
  ASSERT_TRUE(collected(kFiles));
  EXPECT_LT(lists, kFiles / 2);
  EXPECT_EQ(looks_at_done, 0);
  stop(source);
  disk_->on_operation({});
}

}  // namespace
}  // namespace millrace
