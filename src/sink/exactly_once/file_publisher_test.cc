#include "sink/exactly_once/file_publisher.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "base/checksum.h"
#include "client/dfs/local_file_system.h"
#include "io/fake_file_system.h"

namespace millrace {
namespace {

// A file is closed, and cut, only after some questions: as in HDFS, whose leases are recovered and
// whose last blocks are cut beside the calls that ask for it.
class SlowFileSystem final : public dfs::FileSystem {
 public:
  explicit SlowFileSystem(dfs::FileSystem& files) : files_(files) {}

  Result<bool> recover_lease(const std::string&) override { return open_for_ == 0; }
  Result<bool> is_closed(const std::string&) override {
    open_for_ -= open_for_ > 0 ? 1 : 0;
    return open_for_ == 0;
  }
  Result<bool> truncate(const std::string& path, std::uint64_t length) override {
    if (open_for_ > 0) {
      return transient("it is open");
    }
    open_for_ = 3;
    TRY(files_.truncate(path, length));
    return false;
  }
  Result<> rename(const std::string& from, const std::string& to) override {
    EXPECT_EQ(open_for_, 0);
    return files_.rename(from, to);
  }

  using Output = std::unique_ptr<dfs::OutputStream>;
  Result<Output> create(const std::string& path, const dfs::CreateOptions& options) override {
    return files_.create(path, options);
  }
  Result<Output> append(const std::string& path, dfs::Durability durability) override {
    return files_.append(path, durability);
  }
  Result<std::unique_ptr<dfs::InputStream>> open(const std::string& path) override {
    return files_.open(path);
  }
  Result<> remove(const std::string& path, bool recursive) override {
    return files_.remove(path, recursive);
  }
  Result<> make_directories(const std::string& path, std::uint32_t permissions) override {
    return files_.make_directories(path, permissions);
  }
  Result<std::vector<dfs::FileStatus>> list(const std::string& path) override {
    return files_.list(path);
  }
  Result<dfs::FileStatus> status(const std::string& path) override { return files_.status(path); }
  Result<> set_permissions(const std::string& path, std::uint32_t permissions) override {
    return files_.set_permissions(path, permissions);
  }
  std::string uri() const override { return files_.uri(); }
  void close() override { files_.close(); }

 private:
  dfs::FileSystem& files_;
  int open_for_ = 3;  // Questions; then it is closed.
};

class FilePublisherTest : public testing::Test {
 protected:
  FilePublisherTest() { EXPECT_TRUE(disk.create_directories("/out").ok()); }
  static IntendedFile intended(std::string_view committed) {
    return {"/out/.a.part", "/out/a", committed.size(), crc32c(committed), true};
  }
  std::uint64_t lost() const { return lost_.value(); }

  FakeFileSystem disk;
  dfs::LocalFileSystem local{disk};
  MetricsRegistry registry;
  MetricGroup& metrics = registry.group("SINK", "k1");
  Counter& published_ = metrics.counter("FilesPublishedCount");
  Counter& lost_ = metrics.counter("FilesLostCount");
  FilePublisher publisher{local, "sink k1", published_, lost_};
};

TEST_F(FilePublisherTest, CutsAndRenames) {
  disk.put("/out/.a.part", "committed, and more");
  ASSERT_TRUE(publisher.publish(intended("committed")).ok());
  EXPECT_EQ(disk.text("/out/a"), "committed");
  EXPECT_FALSE(disk.exists("/out/.a.part"));
  EXPECT_EQ(published_.value(), 1U);
  EXPECT_EQ(lost(), 0U);
}

// Goal: a file is given its name when it is closed and cut, and not before.
TEST_F(FilePublisherTest, WaitsForALeaseAndForACut) {
  SlowFileSystem slow(local);
  FilePublisher patient(slow, "sink k1", published_, lost_);
  disk.put("/out/.a.part", "committed, and more");
  int attempts = 1;
  for (Result<> done = patient.publish(intended("committed")); !done.ok();
       done = patient.publish(intended("committed"))) {
    ASSERT_EQ(done.error().fault(), Fault::kTransient);
    EXPECT_FALSE(disk.exists("/out/a"));
    ASSERT_LT(++attempts, 20);
  }
  EXPECT_GT(attempts, 3);
  EXPECT_EQ(disk.text("/out/a"), "committed");
  EXPECT_EQ(lost(), 0U);
}

TEST_F(FilePublisherTest, MayBeRepeated) {
  disk.put("/out/.a.part", "committed");
  ASSERT_TRUE(publisher.publish(intended("committed")).ok());
  ASSERT_TRUE(publisher.publish(intended("committed")).ok());
  EXPECT_EQ(published_.value(), 1U);
  EXPECT_EQ(lost(), 0U);
}

// Each call fails once; the next attempt goes on.
TEST_F(FilePublisherTest, GoesOnWhereItFailed) {
  using Operation = FakeFileSystem::Operation;
  for (const Operation operation : {Operation::kStatus, Operation::kOpen, Operation::kSize,
                                    Operation::kRename, Operation::kSyncDirectory}) {
    disk.put("/out/.a.part", "committed, and more");
    disk.fail_next(operation, EIO);
    const Result<> first = publisher.publish(intended("committed"));
    disk.heal();
    ASSERT_TRUE(publisher.publish(intended("committed")).ok());
    EXPECT_EQ(disk.text("/out/a"), "committed");
    ASSERT_TRUE(disk.remove("/out/a").ok());
  }
  EXPECT_EQ(lost(), 0U);
}

TEST_F(FilePublisherTest, NeverReplacesAnotherFile) {
  disk.put("/out/.a.part", "committed");
  disk.put("/out/a", "not ours");
  EXPECT_EQ(publisher.publish(intended("committed")).error().fault(), Fault::kTransient);
  EXPECT_EQ(disk.text("/out/a"), "not ours");
  EXPECT_EQ(disk.text("/out/.a.part"), "committed");
}

TEST_F(FilePublisherTest, SaysWhatIsLost) {
  ASSERT_TRUE(publisher.publish(intended("committed")).ok());  // Under neither name.
  EXPECT_EQ(lost(), 1U);
  disk.put("/out/a", "committee");  // Another file, as long.
  ASSERT_TRUE(publisher.publish(intended("committed")).ok());
  EXPECT_EQ(lost(), 2U);
  ASSERT_TRUE(disk.remove("/out/a").ok());
  disk.put("/out/.a.part", "commit");
  ASSERT_TRUE(publisher.publish(intended("committed")).ok());
  EXPECT_EQ(lost(), 3U);
  EXPECT_EQ(disk.text("/out/a"), "commit");  // What there is, is given.
}

TEST_F(FilePublisherTest, DiscardsWhatIsThere) {
  disk.put("/out/.a.part", "x");
  EXPECT_TRUE(publisher.discard("/out/.a.part").ok());
  EXPECT_FALSE(disk.exists("/out/.a.part"));
  EXPECT_TRUE(publisher.discard("/out/.a.part").ok());
}

}  // namespace
}  // namespace millrace
