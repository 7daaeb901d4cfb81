// Goal: file:// keeps the promises of the interface, above all what a flush makes durable. Method:
// the fake disk forgets what was not synced; what a kernel decides is asked of the real one.
#include "client/dfs/local_file_system.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "io/fake_file_system.h"
#include "io/temp_folder.h"

namespace millrace::dfs {
namespace {

class LocalFileSystemTest : public ::testing::Test {
 protected:
  LocalFileSystemTest() { disk_.let_unsynced_survive(false); }
  std::string read(const std::string& path) {
    auto in = files_.open(path);
    std::string text(in.value()->length() + 10, '\0');
    text.resize((*in)->read_at(text, 0).value());
    return text;
  }

  FakeFileSystem disk_;
  LocalFileSystem files_{disk_};
};

TEST_F(LocalFileSystemTest, KeepsWhatAnHsyncCovered) {
  auto out = files_.create("/a/b/c", {}).value();
  ASSERT_TRUE(out->write("synced").ok());
  ASSERT_TRUE(out->flush(Durability::kHsync).ok());
  ASSERT_TRUE(out->write(" not").ok());
  ASSERT_TRUE(out->flush(Durability::kHflush).ok());
  EXPECT_EQ(disk_.text("/a/b/c"), "synced not");
  disk_.crash();
  EXPECT_EQ(read("/a/b/c"), "synced");
}

TEST_F(LocalFileSystemTest, ShowsReadersWhatAnHflushCovered) {
  auto out = files_.create("/f", {}).value();
  ASSERT_TRUE(out->write("abc").ok());
  EXPECT_EQ(read("/f"), "");
  ASSERT_TRUE(out->flush(Durability::kHflush).ok());
  EXPECT_EQ(read("/f"), "abc");
  EXPECT_EQ(out->length(), 3U);
}

TEST_F(LocalFileSystemTest, StartsAndFinishesFlushesApart) {
  auto one = files_.create("/1", {}).value();
  auto two = files_.create("/2", {}).value();
  ASSERT_TRUE(one->write("1").ok() && two->write("2").ok());
  ASSERT_TRUE(one->start_flush(Durability::kHsync).ok() &&
              two->start_flush(Durability::kHsync).ok());
  ASSERT_TRUE(one->finish_flush().ok() && two->finish_flush().ok());
  disk_.crash();
  EXPECT_EQ(read("/1") + read("/2"), "12");
}

TEST_F(LocalFileSystemTest, NeverOverwrites) {
  disk_.put("/a", "old");
  disk_.put("/b", "other");
  EXPECT_EQ(files_.create("/a", {}).error().error_number(), EEXIST);
  EXPECT_EQ(files_.rename("/b", "/a").error().error_number(), EEXIST);
  EXPECT_EQ(read("/a") + read("/b"), "oldother");
}

TEST_F(LocalFileSystemTest, RenamesDurably) {
  disk_.put("/x/a", "text");
  ASSERT_TRUE(files_.make_directories("/y", 0755).ok());
  ASSERT_TRUE(files_.rename("/x/a", "/y/b").ok());
  disk_.crash();
  EXPECT_EQ(read("/y/b"), "text");
  EXPECT_EQ(files_.status("/x/a").error().error_number(), ENOENT);
}

TEST_F(LocalFileSystemTest, AppendsAndTruncates) {
  disk_.put("/a", "12345");
  auto out = files_.append("/a", Durability::kHsync).value();
  ASSERT_TRUE(out->write("67").ok());
  ASSERT_TRUE(out->close().ok());
  EXPECT_EQ(out->write("8").error().fault(), Fault::kClosed);
  EXPECT_EQ(read("/a"), "1234567");
  EXPECT_TRUE(files_.truncate("/a", 3).value());
  EXPECT_EQ(files_.truncate("/a", 4).error().error_number(), EINVAL);
  disk_.crash();
  EXPECT_EQ(read("/a"), "123");
}

TEST_F(LocalFileSystemTest, ListsFoldersAndFiles) {
  disk_.put("/d/b", "1");
  disk_.put("/d/a", "22");
  ASSERT_TRUE(files_.make_directories("/d/c", 0755).ok());
  const auto found = files_.list("/d").value();
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].path, "/d/a");
  EXPECT_EQ(found[0].length, 2U);
  EXPECT_TRUE(found[2].is_directory);
  EXPECT_EQ(files_.list("/d/a").value()[0].path, "/d/a");
  EXPECT_EQ(files_.list("/e").error().error_number(), ENOENT);
}

TEST_F(LocalFileSystemTest, RemovesAFullFolderOnlyWhenTold) {
  disk_.put("/d/e/f", "1");
  EXPECT_EQ(files_.remove("/d", false).error().error_number(), ENOTEMPTY);
  EXPECT_TRUE(files_.remove("/d", true).ok());
  EXPECT_EQ(files_.remove("/d", true).error().error_number(), ENOENT);
}

TEST_F(LocalFileSystemTest, EveryFileIsClosed) {
  disk_.put("/a", "");
  EXPECT_TRUE(files_.recover_lease("/a").value());
  EXPECT_TRUE(files_.is_closed("/a").value());
  EXPECT_EQ(files_.is_closed("/b").error().error_number(), ENOENT);
}

TEST_F(LocalFileSystemTest, RefusesWhatComesAfterItsEnd) {
  files_.close();
  EXPECT_EQ(files_.status("/").error().fault(), Fault::kClosed);
  EXPECT_EQ(files_.create("/a", {}).error().fault(), Fault::kClosed);
}

TEST(LocalFileSystemOnARealDiskTest, RenamesOnlyToNewNamesAndSetsPermissions) {
  const TempFolder folder;
  LocalFileSystem files(real_file_system());
  const std::string a = folder / "a";
  const std::string b = folder / "b";
  ASSERT_TRUE(files.create(a, {.permissions = 0640}).value()->close().ok());
  EXPECT_EQ(files.status(a).value().permissions, 0640U);
  ASSERT_TRUE(files.rename(a, b).ok());
  ASSERT_TRUE(files.create(a, {}).value()->close().ok());
  EXPECT_EQ(files.rename(a, b).error().error_number(), EEXIST);
  EXPECT_EQ(files.remove(folder.path(), false).error().error_number(), ENOTEMPTY);
}

}  // namespace
}  // namespace millrace::dfs
