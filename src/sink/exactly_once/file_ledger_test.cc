#include "sink/exactly_once/file_ledger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <fstream>
#include <iterator>

#include "io/fake_file_system.h"

namespace millrace {
namespace {

using testing::ElementsAre;
using testing::IsSupersetOf;

constexpr const char* kPath = "/out/.k1.ledger";

class FileLedgerTest : public testing::Test {
 protected:
  FileLedgerTest() {
    disk.let_unsynced_survive(false);
    EXPECT_TRUE(disk.create_directories("/out").ok());
    EXPECT_TRUE(ledger.load().ok());
  }
  // Of a process that starts now.
  std::set<std::string> noted() {
    FileLedger again(disk, kPath);
    EXPECT_TRUE(again.load().ok());
    return again.noted();
  }

  FakeFileSystem disk;
  FileLedger ledger{disk, kPath};
};

TEST_F(FileLedgerTest, ReadsAsThePageSays) {
  std::ifstream golden(MILLRACE_SOURCE_DIR "/tests/golden/exactly-once/files.ledger",
                       std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(golden), {}};
  ASSERT_TRUE(ledger.note("/srv/out/.1700000000000-1.part").ok());
  ASSERT_TRUE(ledger.note("/srv/out/.a\nb.part").ok());
  EXPECT_EQ(disk.text(kPath), text);
  EXPECT_THAT(noted(), ElementsAre("/srv/out/.1700000000000-1.part", "/srv/out/.a\nb.part"));
}

TEST_F(FileLedgerTest, KeepsWhatWasNotedThroughAPowerLoss) {
  for (const char* file : {"/out/a", "/out/b"}) {
    ASSERT_TRUE(ledger.note(file).ok());
    disk.crash();
    EXPECT_TRUE(noted().contains(file));
    ASSERT_TRUE(ledger.load().ok());
  }
}

TEST_F(FileLedgerTest, ReadsUpToATornLine) {
  ASSERT_TRUE(ledger.note("/out/a").ok());
  const std::string one = disk.text(kPath);
  ASSERT_TRUE(ledger.note("/out/b").ok());
  const std::string two = disk.text(kPath);
  for (std::size_t size = one.size(); size < two.size(); ++size) {
    disk.put(kPath, two.substr(0, size));
    EXPECT_THAT(noted(), ElementsAre("/out/a")) << size;
  }
  std::string other = two;
  other[two.size() - 2] = 'c';
  disk.put(kPath, other);
  EXPECT_THAT(noted(), ElementsAre("/out/a"));
}

// What was torn is not in the way of what comes behind it.
TEST_F(FileLedgerTest, GoesOnBehindAWriteThatFailed) {
  ASSERT_TRUE(ledger.note("/out/a").ok());
  for (const auto operation :
       {FakeFileSystem::Operation::kWrite, FakeFileSystem::Operation::kSync}) {
    disk.fail_next(operation, EIO);
    EXPECT_FALSE(ledger.note("/out/b").ok());
    ASSERT_TRUE(ledger.note("/out/c").ok());
    EXPECT_THAT(noted(), IsSupersetOf({"/out/a", "/out/c"}));
  }
}

TEST_F(FileLedgerTest, DoesNotGrowForEver) {
  std::size_t largest = 0;
  for (int i = 0; i < 5000; ++i) {
    const std::string file = "/out/" + std::to_string(i);
    ASSERT_TRUE(ledger.note(file).ok());
    ledger.forget(file);
    largest = std::max(largest, disk.text(kPath).size());
  }
  EXPECT_LT(largest, 40'000U);
  ASSERT_TRUE(ledger.note("/out/last").ok());
  EXPECT_TRUE(noted().contains("/out/last"));
}

TEST_F(FileLedgerTest, RefusesAnotherFile) {
  disk.put(kPath, "millrace-file-ledger 2\n");
  EXPECT_EQ(ledger.load().error().fault(), Fault::kConfig);
}

}  // namespace
}  // namespace millrace
