// Goal: the calls of a real NameNode do what dfs::FileSystem says. Method: each test has a folder
// of its own in the cluster that HDFS_URL names; hdfs_calls.py starts it, with /ec erasure coded,
// /quota for two names, and five entries a listing, and kills the NameNode below the last test.
#include <gtest/gtest.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "client/dfs/file_systems.h"
#include "client/hdfs/hdfs_file_system.h"
#include "io/file_system.h"

namespace millrace::dfs {
namespace {

using namespace std::chrono_literals;

class HdfsCallsTest : public ::testing::Test {
 protected:
  HdfsCallsTest() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::string("/calls/") + test->name();
    EXPECT_TRUE(files_->make_directories(folder_, 0755).ok());
  }
  // Another client, with leases of its own.
  std::shared_ptr<FileSystem> client(const std::string& user = "root") {
    return systems_
        .emplace_back(
            std::make_unique<FileSystems>(real_file_system(), FileSystemsConfig{.user = user}))
        ->find(std::getenv("HDFS_URL"))
        .value()
        .files;
  }
  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  void write(const std::string& name, const std::string& text) {
    const auto out = files_->create(path(name), {}).value();
    ASSERT_TRUE(out->write(text).ok());
    ASSERT_TRUE(out->close().ok());
  }
  std::string read(const std::string& name) {
    const auto in = files_->open(path(name)).value();
    std::string text(in->length(), '\0');
    text.resize(in->read_at(text, 0).value());
    return text;
  }
  bool closes(const std::string& name) {
    for (const auto end = std::chrono::steady_clock::now() + 60s;
         std::chrono::steady_clock::now() < end;) {
      if (files_->is_closed(path(name)).value()) {
        return true;
      }
      std::this_thread::sleep_for(50ms);
    }
    return false;
  }
  int number(const Error& error) { return error.error_number(); }

  std::vector<std::unique_ptr<FileSystems>> systems_;
  std::shared_ptr<FileSystem> files_ = client();
  std::string folder_;
};

TEST_F(HdfsCallsTest, MakesFoldersAndTellsOfThem) {
  ASSERT_TRUE(files_->make_directories(path("a/b"), 0750).ok());
  ASSERT_TRUE(files_->make_directories(path("a/b"), 0700).ok());
  const FileStatus status = files_->status(path("a/b")).value();
  EXPECT_TRUE(status.is_directory);
  EXPECT_EQ(status.permissions, 0750U);
  EXPECT_EQ(status.owner, "root");
  EXPECT_LT(std::chrono::abs(std::chrono::system_clock::now() - status.modified), 1h);
  ASSERT_TRUE(files_->set_permissions(path("a/b"), 01777).ok());
  EXPECT_EQ(files_->status(path("a/b")).value().permissions, 01777U);
  write("file", "");
  EXPECT_EQ(number(files_->make_directories(path("file/x"), 0755).error()), ENOTDIR);
}

TEST_F(HdfsCallsTest, CreatesOnlyNewFiles) {
  write("new/a", "text");
  EXPECT_EQ(read("new/a"), "text");
  const FileStatus status = files_->status(path("new/a")).value();
  EXPECT_EQ(status.length, 4U);
  EXPECT_EQ(status.permissions, 0644U);
  EXPECT_EQ(status.replication, 3U);
  EXPECT_EQ(number(files_->create(path("new/a"), {}).error()), EEXIST);
  EXPECT_EQ(number(files_->create(path("new"), {}).error()), EEXIST);
  EXPECT_EQ(number(files_->create(path("new/a/b"), {}).error()), ENOTDIR);
}

TEST_F(HdfsCallsTest, ListsALongFolderWhole) {
  for (int i = 0; i < 12; ++i) {
    ASSERT_TRUE(files_->make_directories(path(std::to_string(10 + i)), 0755).ok());
  }
  const auto found = files_->list(folder_).value();
  ASSERT_EQ(found.size(), 12U);
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].path, path(std::to_string(10 + i)));
  }
  write("10/f", "abc");
  EXPECT_EQ(files_->list(path("10/f")).value().at(0).path, path("10/f"));
  EXPECT_EQ(number(files_->list(path("none")).error()), ENOENT);
  EXPECT_EQ(number(files_->status(path("none")).error()), ENOENT);
}

TEST_F(HdfsCallsTest, RenamesOnlyToNewNames) {
  write("a", "a");
  write("b", "b");
  ASSERT_TRUE(files_->make_directories(path("folder"), 0755).ok());
  EXPECT_EQ(number(files_->rename(path("a"), path("b")).error()), EEXIST);
  EXPECT_EQ(number(files_->rename(path("a"), path("folder")).error()), EEXIST);
  EXPECT_EQ(number(files_->rename(path("none"), path("c")).error()), ENOENT);
  EXPECT_EQ(number(files_->rename(path("a"), path("none/c")).error()), ENOENT);
  ASSERT_TRUE(files_->rename(path("a"), path("folder/c")).ok());
  EXPECT_EQ(read("folder/c") + read("b"), "ab");
}

TEST_F(HdfsCallsTest, RemovesAFullFolderOnlyWhenTold) {
  write("d/e", "");
  EXPECT_EQ(number(files_->remove(path("d"), false).error()), ENOTEMPTY);
  EXPECT_TRUE(files_->remove(path("d"), true).ok());
  EXPECT_EQ(number(files_->remove(path("d"), true).error()), ENOENT);
}

TEST_F(HdfsCallsTest, AppendsAndTruncates) {
  write("a", "12345");
  const auto out = files_->append(path("a"), Durability::kHflush).value();
  ASSERT_TRUE(out->write("6789").ok());
  ASSERT_TRUE(out->close().ok());
  EXPECT_EQ(read("a"), "123456789");
  EXPECT_EQ(number(files_->truncate(path("a"), 10).error()), EINVAL);
  const bool done = files_->truncate(path("a"), 3).value();
  EXPECT_TRUE(done || closes("a"));
  EXPECT_EQ(read("a"), "123");
  EXPECT_EQ(number(files_->append(path("none"), Durability::kHflush).error()), ENOENT);
  EXPECT_EQ(number(files_->append(folder_, Durability::kHflush).error()), EISDIR);
  EXPECT_EQ(number(files_->open(folder_).error()), EISDIR);
}

TEST_F(HdfsCallsTest, TakesAFileFromADeadWriter) {
  const auto other = client();
  const auto out = other->create(path("a"), {}).value();
  ASSERT_TRUE(out->write("flushed").ok());
  ASSERT_TRUE(out->flush(Durability::kHflush).ok());
  EXPECT_FALSE(files_->is_closed(path("a")).value());
  EXPECT_EQ(number(files_->append(path("a"), Durability::kHflush).error()), EBUSY);
  const bool done = files_->recover_lease(path("a")).value();
  EXPECT_TRUE(done || closes("a"));
  EXPECT_EQ(read("a"), "flushed");
  // Whoever wrote it finds out.
  Result<> late = out->write("late");
  late = late.ok() ? out->close() : late;
  ASSERT_FALSE(late.ok());
  EXPECT_EQ(late.error().fault(), Fault::kTransient);
  EXPECT_EQ(read("a"), "flushed");
}

TEST_F(HdfsCallsTest, SaysWhoMayNot) {
  ASSERT_TRUE(files_->set_permissions(folder_, 0700).ok());
  const auto bob = client("bob");
  EXPECT_EQ(number(bob->create(path("a"), {}).error()), EACCES);
  EXPECT_EQ(number(bob->list(folder_).error()), EACCES);
}

TEST_F(HdfsCallsTest, SaysThatAQuotaIsUsedUp) {
  EXPECT_TRUE(files_->make_directories("/quota/a", 0755).ok());
  EXPECT_EQ(number(files_->make_directories("/quota/b", 0755).error()), EDQUOT);
}

TEST_F(HdfsCallsTest, RefusesAnErasureCodedTarget) {
  const auto refused = files_->create("/ec/a", {});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().fault(), Fault::kConfig);
  EXPECT_NE(refused.error().message().find("erasure"), std::string::npos);
  EXPECT_EQ(number(files_->status("/ec/a").error()), ENOENT);
}

TEST_F(HdfsCallsTest, IsRefusedWhereNoServerSpeaksToIt) {
  // The pages of the NameNode: they answer with text of their own, and hang up.
  hdfs::Options options;
  options.rpc.connect_retries = 1;
  options.rpc.retry_interval = 10ms;
  hdfs::HdfsFileSystem pages(
      {.host = "127.0.0.1",
       .port = static_cast<std::uint16_t>(std::atoi(std::getenv("HDFS_HTTP_PORT"))),
       .user = "root"},
      options);
  const auto status = pages.status("/");
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message().find("is this the port"), std::string::npos)
      << status.error().message();
}

// The NameNode is killed and started twice below this: each call is made once, though it is asked
// more than once.
TEST_F(HdfsCallsTest, DISABLED_MakesEachCallOnceWhileTheNameNodeIsKilled) {
  hdfs::Options options;
  options.rpc.connect_retries = 1'000;
  options.rpc.retry_interval = 20ms;
  hdfs::HdfsFileSystem files(
      {.host = "127.0.0.1",
       .port = static_cast<std::uint16_t>(std::atoi(std::getenv("HDFS_PORT"))),
       .user = "root"},
      options);
  const auto end = std::chrono::steady_clock::now() +
                   std::chrono::seconds(std::atoi(std::getenv("HDFS_SECONDS")));
  int rounds = 0;
  std::chrono::steady_clock::duration longest{};
  for (; std::chrono::steady_clock::now() < end; ++rounds) {
    const auto began = std::chrono::steady_clock::now();
    const std::string name = path(std::to_string(rounds));
    auto out = files.create(name, {});
    ASSERT_TRUE(out.ok()) << out.error().message();
    ASSERT_TRUE(out.value()->close().ok());
    const Result<> renamed = files.rename(name, name + ".done");
    ASSERT_TRUE(renamed.ok()) << renamed.error().message();
    if (rounds % 2 == 0) {
      const Result<> removed = files.remove(name + ".done", false);
      ASSERT_TRUE(removed.ok()) << removed.error().message();
    }
    longest = std::max(longest, std::chrono::steady_clock::now() - began);
  }
  EXPECT_EQ(files.list(folder_).value().size(), static_cast<std::size_t>(rounds / 2));
  std::printf("%d rounds of create, close, rename; the longest took %.1f s\n", rounds,
              std::chrono::duration<double>(longest).count());
  EXPECT_GT(longest, 1s);  // The NameNode was away.
}

}  // namespace
}  // namespace millrace::dfs
