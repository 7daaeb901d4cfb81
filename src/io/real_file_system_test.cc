#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <numeric>

#include "io/file_system.h"
#include "io/temp_folder.h"

namespace millrace {
namespace {

class RealFileSystemTest : public testing::Test {
 protected:
  FileSystem& files_ = real_file_system();
  const TempFolder temp_;
  const std::filesystem::path& folder_ = temp_.path();
};

TEST_F(RealFileSystemTest, WritesMorePiecesThanOneCallTakes) {
  std::string bytes(5000, '\0');
  std::iota(bytes.begin(), bytes.end(), '\0');
  std::vector<iovec> pieces;
  for (char& byte : bytes) {
    pieces.push_back({&byte, 1});
  }
  auto file = files_.open(folder_ / "f", OpenMode::kCreate);
  ASSERT_TRUE(file.ok());
  ASSERT_TRUE((*file)->write_at(pieces, 10).ok());
  ASSERT_TRUE((*file)->sync_data().ok());
  EXPECT_EQ(read_file(files_, folder_ / "f").value(), std::string(10, '\0') + bytes);
}

TEST_F(RealFileSystemTest, OpenModesHoldWhatTheySay) {
  EXPECT_FALSE(files_.open(folder_ / "f", OpenMode::kRead).ok());
  EXPECT_FALSE(files_.open(folder_ / "f", OpenMode::kReadWrite).ok());
  EXPECT_TRUE(files_.open(folder_ / "f", OpenMode::kCreate).ok());
  EXPECT_FALSE(files_.open(folder_ / "f", OpenMode::kCreate).ok());
  auto file = files_.open(folder_ / "f", OpenMode::kReadWrite);
  ASSERT_TRUE(file.ok());
  ASSERT_TRUE((*file)->write_at("abc", 0).ok());
  EXPECT_TRUE(files_.open(folder_ / "f", OpenMode::kTruncate).ok());
  EXPECT_EQ(files_.status(folder_ / "f").value().size, 0U);
}

TEST_F(RealFileSystemTest, MakesNestedFoldersAndListsNames) {
  ASSERT_TRUE(files_.create_directories(folder_ / "a" / "b" / "c").ok());
  ASSERT_TRUE(files_.create_directories(folder_ / "a" / "b" / "c").ok());
  ASSERT_TRUE(files_.open(folder_ / "a" / "z", OpenMode::kCreate).ok());
  EXPECT_EQ(files_.list(folder_ / "a").value(), (std::vector<std::string>{"b", "z"}));
  EXPECT_FALSE(files_.create_directories(folder_ / "a" / "z" / "c").ok());
  EXPECT_FALSE(files_.create_directories(folder_ / "a" / "z").ok());
}

TEST_F(RealFileSystemTest, ReadsFilesOfProcWholeThoughTheySayTheyAreEmpty) {
  const Result<std::string> text = read_file(files_, "/proc/meminfo");
  ASSERT_TRUE(text.ok());
  EXPECT_NE(text.value().find("MemTotal:"), std::string::npos);
}

TEST_F(RealFileSystemTest, ASecondLockNamesTheFirstOnesProcess) {
  auto lock = files_.lock(folder_ / "in_use.lock");
  ASSERT_TRUE(lock.ok());
  auto second = files_.lock(folder_ / "in_use.lock");
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().fault(), Fault::kConfig);
  EXPECT_NE(second.error().message().find(std::to_string(::getpid())), std::string::npos);
  EXPECT_EQ(files_.lock_holder(folder_ / "in_use.lock"), ::getpid());
  lock->reset();
  EXPECT_EQ(files_.lock_holder(folder_ / "in_use.lock"), std::nullopt);
  EXPECT_EQ(files_.lock_holder(folder_ / "no.lock"), std::nullopt);
  EXPECT_TRUE(files_.lock(folder_ / "in_use.lock").ok());
}

TEST_F(RealFileSystemTest, SeesWhichOtherProcessHasAFileOpen) {
  const std::string path = folder_ / "in_use.lock";
  EXPECT_EQ(files_.opened_by(path), std::nullopt);  // It is not there, and is not made.
  EXPECT_FALSE(files_.exists(path));
  ASSERT_TRUE(files_.open(path, OpenMode::kCreate).ok());
  const auto own = files_.open(path, OpenMode::kRead);
  EXPECT_EQ(files_.opened_by(path), std::nullopt);
  int ready[2];
  int done[2];
  ASSERT_EQ(::pipe(ready), 0);
  ASSERT_EQ(::pipe(done), 0);
  const pid_t other = ::fork();
  char byte = 'x';
  if (other == 0) {
    const bool told = ::open(path.c_str(), O_RDONLY) >= 0 && ::write(ready[1], &byte, 1) == 1 &&
                      ::read(done[0], &byte, 1) == 1;
    ::_exit(told ? 0 : 1);
  }
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_EQ(files_.opened_by(path), other);
  ASSERT_EQ(::write(done[1], &byte, 1), 1);
  int status = 0;
  ASSERT_EQ(::waitpid(other, &status, 0), other);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(files_.opened_by(path), std::nullopt);
  for (const int fd : {ready[0], ready[1], done[0], done[1]}) {
    ::close(fd);
  }
}

}  // namespace
}  // namespace millrace
