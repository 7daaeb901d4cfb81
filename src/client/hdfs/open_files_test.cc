// Goal: a file stays ours as long as it is open, and no longer. Method: the fake NameNode counts
// renewals, which come every few milliseconds here.
#include "client/hdfs/open_files.h"

#include <gtest/gtest.h>

#include <thread>

#include "client/hdfs/fake_name_node.h"

namespace millrace::hdfs {
namespace {

using namespace std::chrono_literals;

class OpenFilesTest : public ::testing::Test {
 protected:
  std::unique_ptr<dfs::OutputStream> open() {
    OutputFile file;
    file.file = {"/a", 7};
    file.block_size = 1 << 20;
    file.replication = 3;
    return files_.add(std::make_shared<HdfsOutputStream>(cluster_, file, options_, closed_));
  }
  bool is_renewed(std::size_t times) {
    const std::size_t before = cluster_.renewals;
    const auto end = std::chrono::steady_clock::now() + 20s;
    while (cluster_.renewals < before + times && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(1ms);
    }
    return cluster_.renewals >= before + times;
  }

  testing_kit::FakeNameNode cluster_{3};
  StreamOptions options_;
  std::atomic<bool> closed_{false};
  OpenFiles files_{cluster_, 2ms, 10ms};
};

TEST_F(OpenFilesTest, RenewsTheLeaseWhileAFileIsOpen) {
  auto first = open();
  auto second = open();
  EXPECT_TRUE(is_renewed(2));
  first.reset();
  EXPECT_TRUE(is_renewed(2));
  second.reset();
  files_.stop();  // The thread has seen the end of both.
  const std::size_t after = cluster_.renewals;
  const auto third = open();
  EXPECT_TRUE(is_renewed(1));
  EXPECT_GT(cluster_.renewals, after);
}

TEST_F(OpenFilesTest, RenewsNothingWithoutFiles) {
  auto file = open();
  EXPECT_TRUE(is_renewed(1));
  file.reset();
  std::this_thread::sleep_for(20ms);  // One may be under way.
  const std::size_t before = cluster_.renewals;
  std::this_thread::sleep_for(60ms);
  EXPECT_EQ(cluster_.renewals, before);
}

TEST_F(OpenFilesTest, WritesThroughToTheFile) {
  const auto file = open();
  ASSERT_TRUE(file->write("abc").ok());
  ASSERT_TRUE(file->flush(dfs::Durability::kHsync).ok());
  EXPECT_EQ(file->length(), 3U);
  EXPECT_EQ(file->live_replicas(), 3U);
  ASSERT_TRUE(file->close().ok());
  EXPECT_TRUE(cluster_.completed);
  EXPECT_EQ(cluster_.contents(), "abc");
}

}  // namespace
}  // namespace millrace::hdfs
