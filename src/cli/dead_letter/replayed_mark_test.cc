#include "cli/dead_letter/replayed_mark.h"

#include <gtest/gtest.h>

#include "io/fake_file_system.h"

namespace millrace {
namespace {

class ReplayedMarkTest : public testing::Test {
 protected:
  static LetterNumbers numbers(const std::vector<file_channel::EventRange>& ranges) {
    LetterNumbers made;
    for (const file_channel::EventRange& range : ranges) {
      made.add(range);
    }
    return made;
  }

  FakeFileSystem files;
};

TEST_F(ReplayedMarkTest, WithoutOneNothingWasReplayed) {
  EXPECT_TRUE(read_mark(files, "/dead/x.avro")->empty());
}

TEST_F(ReplayedMarkTest, ComesBackAsItWasWritten) {
  ASSERT_TRUE(files.create_directories("/dead").ok());
  ASSERT_TRUE(write_mark(files, "/dead/x.avro", numbers({{1, 4}, {7, 8}})).ok());
  EXPECT_EQ(files.text("/dead/x.avro.replayed"), "millrace replayed 1\n1-3\n7-7\n");
  const LetterNumbers read = read_mark(files, "/dead/x.avro").value();
  EXPECT_EQ(read.count(), 4u);
  EXPECT_TRUE(read.contains(3) && !read.contains(4) && read.contains(7));
}

TEST_F(ReplayedMarkTest, APowerLossLeavesTheOldOneOrTheNewOne) {
  files.let_unsynced_survive(false);
  ASSERT_TRUE(files.create_directories("/dead").ok());
  ASSERT_TRUE(write_mark(files, "/dead/x.avro", numbers({{1, 4}})).ok());
  files.crash();
  EXPECT_EQ(read_mark(files, "/dead/x.avro")->count(), 3u);
  files.fail_next(FakeFileSystem::Operation::kRename, EIO);
  EXPECT_FALSE(write_mark(files, "/dead/x.avro", numbers({{1, 100}})).ok());
  files.crash();
  EXPECT_EQ(read_mark(files, "/dead/x.avro")->count(), 3u);
}

TEST_F(ReplayedMarkTest, AnythingElseIsRefused) {
  for (const char* text :
       {"", "millrace replayed 2\n1-3\n", "millrace replayed 1\n1-3", "millrace replayed 1\n3-1\n",
        "millrace replayed 1\n0-1\n", "millrace replayed 1\n1\n", "millrace replayed 1\n1-x\n",
        "millrace replayed 1\n1-18446744073709551615\n"}) {
    files.put("/dead/x.avro.replayed", text);
    const Result<LetterNumbers> read = read_mark(files, "/dead/x.avro");
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_EQ(read.error().fault(), Fault::kCorrupt);
  }
}

}  // namespace
}  // namespace millrace
