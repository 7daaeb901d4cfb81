#include "sink/exactly_once/file_publisher.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "base/checksum.h"
#include "client/dfs/local_file_system.h"
#include "io/fake_file_system.h"

namespace millrace {
namespace {

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
