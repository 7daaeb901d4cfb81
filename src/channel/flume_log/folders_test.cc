#include "channel/flume_log/folders.h"

#include <gtest/gtest.h>

#include "channel/flume_log/flume_log_kit.h"

namespace millrace::flume_log {
namespace {

class FlumeFoldersTest : public testing::Test {
 protected:
  FlumeFoldersTest() {
    files.put("/c/in_use.lock", {});
    log.put_all(1, {"one"});
    files.put("/a/log-3", log.file());
    files.put("/a/log-3.meta", log.meta());
  }
  void expect_refused(std::string_view why,
                      const std::vector<std::filesystem::path>& dirs = {"/a"}) {
    const Result<Folders> folders = open_folders(files, "/c", dirs);
    ASSERT_FALSE(folders.ok());
    EXPECT_EQ(folders.error().fault(), Fault::kRejected);
    EXPECT_NE(folders.error().message().find(why), std::string::npos) << folders.error().message();
  }

  FakeFileSystem files;
  std::int64_t order = 500;
  kit::LogBuilder log{3, order};
};

TEST_F(FlumeFoldersTest, FindsTheLogsAndWhatTheyBeginWith) {
  files.put("/b/log-12", std::string(50, kFill));  // Made just before Flume ended.
  files.put("/b/log-x", "no log");
  files.put("/b/log-2", log.file());
  files.put("/b/log-2.meta.tmp", kit::LogBuilder(2, order).meta());
  const Folders folders = open_folders(files, "/c", {"/a", "/b"}).value();
  ASSERT_EQ(folders.logs.size(), 3U);
  EXPECT_EQ(folders.logs[0].path, "/b/log-2");
  EXPECT_EQ(folders.logs[0].dir, 1U);
  EXPECT_EQ(folders.logs[1].first_order, 501);
  EXPECT_EQ(folders.logs[2].meta.log, 12U);
  EXPECT_FALSE(folders.logs[2].first_order);
  EXPECT_EQ(folders.remarks.size(), 1U);  // log-12 has no .meta.
}

TEST_F(FlumeFoldersTest, RefusesARunningFlume) {
  files.hold_lock("/a/in_use.lock", 4711);
  expect_refused("/a is in use by process 4711; stop that Flume");
}

TEST_F(FlumeFoldersTest, RefusesWhatIsNoFolderOfAFileChannel) {
  expect_refused("/nowhere is no folder", {"/nowhere"});
  expect_refused("/a/log-3 is no folder", {"/a/log-3"});
  files.put("/e/segment-000001.wal", "x");
  expect_refused("/e holds no log-N", {"/e"});
  files.put("/b/log-3", log.file());
  files.put("/b/log-3.meta", log.meta());
  expect_refused("different channels", {"/a", "/b"});
}

TEST_F(FlumeFoldersTest, RefusesWhatItCannotReadWithAWayOut) {
  const std::string encryption = kit::bytes_field(1, "AESCTRNOPADDING") + kit::bytes_field(2, "k1");
  files.put("/a/log-3.meta", log.meta(0, 0, kit::bytes_field(5, encryption)));
  expect_refused("encrypted (key \"k1\")");
  expect_refused("until ChannelSize is 0");
  ASSERT_TRUE(files.remove("/a/log-3.meta").ok());
  files.put("/a/log-3", std::string("\0\0\0\2", 4) + std::string(100, '\0'));
  expect_refused("Flume 1.2");
}

TEST_F(FlumeFoldersTest, ALogWithADamagedMetaIsReadWhole) {
  files.put("/a/log-3.meta", "x");
  const Folders folders = open_folders(files, "/c", {"/a"}).value();
  EXPECT_EQ(folders.logs[0].meta.position, 0);
  EXPECT_EQ(folders.remarks.size(), 1U);
}

}  // namespace
}  // namespace millrace::flume_log
