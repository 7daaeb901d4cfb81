#include "io/memory_limit.h"

#include <gtest/gtest.h>

#include "io/fake_file_system.h"

namespace millrace {
namespace {

class MemoryLimitTest : public testing::Test {
 protected:
  void write(const std::filesystem::path& path, std::string_view text) {
    ASSERT_TRUE(files.create_directories(path.parent_path()).ok());
    auto file = files.open(path, OpenMode::kTruncate);
    ASSERT_TRUE(file.ok());
    ASSERT_TRUE(file.value()->write_at(text, 0).ok());
  }
  FakeFileSystem files;
};

TEST_F(MemoryLimitTest, IsTheMachinesMemory) {
  write("/proc/meminfo", "MemFree: 1 kB\nMemTotal:       4096 kB\n");
  EXPECT_EQ(memory_limit(files), 4096u * 1024);
  EXPECT_EQ(default_memory_budget(files), 1024u * 1024);
}

TEST_F(MemoryLimitTest, IsTheLeastLimitOfTheGroupsAboveUs) {
  write("/proc/meminfo", "MemTotal: 4096 kB\n");
  write("/proc/self/cgroup", "0::/system.slice/millrace.service\n");
  write("/sys/fs/cgroup/system.slice/millrace.service/memory.max", "max\n");
  write("/sys/fs/cgroup/system.slice/memory.max", "2097152\n");
  EXPECT_EQ(memory_limit(files), 2097152u);
}

TEST_F(MemoryLimitTest, FallsBackWhereNothingCanBeRead) {
  EXPECT_EQ(memory_limit(files), std::uint64_t{1} << 30);
}

}  // namespace
}  // namespace millrace
