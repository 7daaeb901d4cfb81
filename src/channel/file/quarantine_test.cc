#include "channel/file/quarantine.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "io/fake_file_system.h"

namespace millrace::file_channel {
namespace {

class QuarantineTest : public testing::Test {
 protected:
  void SetUp() override {
    segment.path = "/data/segment-000003.wal";
    segment.order = 7;
    options.name = "channel c1";
    options.minimum_free = 1 << 20;
    files.put(segment.path, "0123456789");
  }
  void quarantine(std::vector<ByteRange> damaged) {
    const auto file = files.open(segment.path, OpenMode::kRead);
    ASSERT_TRUE(file.ok());
    set_aside(files, options, segment, **file, damaged);
  }
  bool is_kept(const std::string& name) { return files.exists("/data/quarantine/" + name); }

  FakeFileSystem files;
  Segment segment;
  Options options;
};

TEST_F(QuarantineTest, KeepsTheBytesDurablyUnderSegmentOrderAndRange) {
  quarantine({{2, 5}, {8, 4096}});
  files.crash();
  EXPECT_EQ(files.text("/data/quarantine/segment-000003-7-2-5"), "234");
  EXPECT_EQ(files.text("/data/quarantine/segment-000003-7-8-4096"), "89");
}

TEST_F(QuarantineTest, KeepsTheFirstCopyOfARange) {
  quarantine({{2, 5}});
  files.put(segment.path, "a segment that was written over");
  quarantine({{2, 5}});
  EXPECT_EQ(files.text("/data/quarantine/segment-000003-7-2-5"), "234");
}

TEST_F(QuarantineTest, IsBounded) {
  files.put("/data/quarantine/earlier", std::string(kQuarantineBytes - 4, 'x'));
  quarantine({{0, 5}, {0, 4}, {4, 6}});
  EXPECT_FALSE(is_kept("segment-000003-7-0-5"));
  EXPECT_TRUE(is_kept("segment-000003-7-0-4"));
  EXPECT_FALSE(is_kept("segment-000003-7-4-6"));
}

TEST_F(QuarantineTest, LeavesAFullOrFailingDiskAlone) {
  files.set_room((1 << 20) + 12);
  quarantine({{0, 5}});
  EXPECT_FALSE(is_kept("segment-000003-7-0-5"));
  files.set_room(UINT64_MAX);
  files.fail_next(FakeFileSystem::Operation::kRead, EIO);
  quarantine({{0, 5}});
  EXPECT_FALSE(is_kept("segment-000003-7-0-5"));
}

}  // namespace
}  // namespace millrace::file_channel
