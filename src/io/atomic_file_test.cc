#include "io/atomic_file.h"

#include <gtest/gtest.h>

#include "io/fake_file_system.h"

namespace millrace {
namespace {

// Goal: whenever the power goes, the file has its old contents or the new ones.
TEST(AtomicFileTest, IsReplacedAsAWholeOrNotAtAll) {
  for (std::uint64_t step = 0;; ++step) {
    FakeFileSystem files(step + 1);
    static_cast<void>(files.create_directories("/d"));
    ASSERT_TRUE(replace_file(files, "/d/f", "old").ok());
    const std::uint64_t cut_at = files.operations() + step;
    files.on_operation([&](const FakeFileSystem::Call& call) {
      if (call.number == cut_at) {
        files.cut_power();
      }
    });
    const bool replaced = replace_file(files, "/d/f", "new and longer").ok();
    files.on_operation(nullptr);
    files.crash();
    const std::string left = files.text("/d/f");
    if (replaced) {
      EXPECT_EQ(left, "new and longer") << step;
      EXPECT_GT(step, 3u);
      return;
    }
    EXPECT_TRUE(left == "old" || left == "new and longer") << step << ": " << left;
  }
}

TEST(AtomicFileTest, KeepsTheOldContentsOnAFullDisk) {
  FakeFileSystem files;
  static_cast<void>(files.create_directories("/d"));
  ASSERT_TRUE(replace_file(files, "/d/f", "old").ok());
  files.set_room(5);
  EXPECT_FALSE(replace_file(files, "/d/f", "does not fit").ok());
  EXPECT_EQ(files.text("/d/f"), "old");
}

}  // namespace
}  // namespace millrace
