#include "channel/flume_log/log_scanner.h"

#include <gtest/gtest.h>

#include "channel/flume_log/flume_log_kit.h"

namespace millrace::flume_log {
namespace {

class LogScannerTest : public testing::Test {
 protected:
  // Offsets of the records that are found from `from` on.
  std::vector<std::uint64_t> scan(const std::string& bytes, std::uint64_t from = 0) {
    files.put("/d/log-1", bytes);
    LogScanner scanner(FileWindow::open(files, "/d/log-1").value(), from);
    std::vector<std::uint64_t> offsets;
    for (;;) {
      const auto record = scanner.next();
      EXPECT_TRUE(record.ok());
      if (!record.value()) {
        break;
      }
      offsets.push_back(record.value()->offset);
    }
    damages = scanner.damages();
    torn_at = scanner.torn_at();
    return offsets;
  }
  std::vector<std::uint64_t> four_records() {
    std::vector<std::uint64_t> offsets;
    offsets.push_back(log.put(1, "one").offset);
    offsets.push_back(log.put(1, "two").offset);
    offsets.push_back(log.commit(1, RecordType::kPut).offset);
    offsets.push_back(log.put(2, "three").offset);
    return offsets;
  }
  void expect_damage(std::uint64_t from, std::uint64_t to) {
    ASSERT_EQ(damages.size(), 1U);
    EXPECT_EQ(damages[0].from, from);
    EXPECT_EQ(damages[0].to, to);
  }

  FakeFileSystem files;
  std::int64_t order = 0;
  kit::LogBuilder log{1, order};
  std::vector<DamagedRange> damages;
  std::optional<std::uint64_t> torn_at;
};

TEST_F(LogScannerTest, FindsEachRecordUpToTheFill) {
  const auto offsets = four_records();
  EXPECT_EQ(scan(log.file()), offsets);
  EXPECT_EQ(scan(log.file(0)), offsets);  // A log that is full has none.
  EXPECT_EQ(scan(log.file(), offsets[2]), (std::vector(offsets.begin() + 2, offsets.end())));
  EXPECT_TRUE(damages.empty());
  EXPECT_FALSE(torn_at);
  EXPECT_TRUE(scan({}).empty());
  EXPECT_TRUE(scan(std::string(1000, kFill)).empty());
  EXPECT_TRUE(damages.empty());
}

TEST_F(LogScannerTest, PassesRecordsThatFlumesToolRemoved) {
  auto offsets = four_records();
  log.bytes()[offsets[1]] = kRemovedMark;
  offsets.erase(offsets.begin() + 1);
  EXPECT_EQ(scan(log.file()), offsets);
  EXPECT_TRUE(damages.empty());
}

TEST_F(LogScannerTest, GoesOnBehindARecordWhoseContentsAreDamaged) {
  auto offsets = four_records();
  log.bytes()[offsets[1] + kFrameBytes + 1] = 'x';  // In its header.
  EXPECT_EQ(scan(log.file()), (std::vector{offsets[0], offsets[2], offsets[3]}));
  expect_damage(offsets[1], offsets[2]);
  EXPECT_TRUE(damages[0].is_one_record);
}

TEST_F(LogScannerTest, SearchesForTheNextRecordWhereALengthIsDamaged) {
  auto offsets = four_records();
  log.bytes()[offsets[1] + 3] = '\x7F';
  EXPECT_EQ(scan(log.file(0)), (std::vector{offsets[0], offsets[2], offsets[3]}));
  expect_damage(offsets[1], offsets[2]);
  EXPECT_FALSE(damages[0].is_one_record);
}

TEST_F(LogScannerTest, GoesOnBehindARecordThatLostItsMark) {
  auto offsets = four_records();
  for (const char mark : {'x', kFill}) {
    log.bytes()[offsets[2]] = mark;
    EXPECT_EQ(scan(log.file()), (std::vector{offsets[0], offsets[1], offsets[3]}));
    expect_damage(offsets[2], offsets[3]);
  }
}

TEST_F(LogScannerTest, GoesOnBehindBlocksOfZeros) {
  const auto offsets = four_records();
  std::fill(log.bytes().begin() + static_cast<std::ptrdiff_t>(offsets[1]),
            log.bytes().begin() + static_cast<std::ptrdiff_t>(offsets[3]), '\0');
  EXPECT_EQ(scan(log.file()), (std::vector{offsets[0], offsets[3]}));
  expect_damage(offsets[1], offsets[3]);
}

TEST_F(LogScannerTest, ACutOffRecordInTheFillIsNoDamage) {
  const auto offsets = four_records();
  const std::string whole = log.bytes();
  for (std::size_t length = offsets[3] + 1; length < whole.size() - 1; ++length) {
    EXPECT_EQ(scan(whole.substr(0, length) + std::string(500, kFill)).size(), 3U);
    EXPECT_TRUE(damages.empty()) << length;
    EXPECT_EQ(torn_at, offsets[3]) << length;
  }
}

TEST_F(LogScannerTest, AFileThatEndsInARecordIsDamaged) {
  const auto offsets = four_records();
  log.bytes().pop_back();
  log.bytes().back() = 'x';
  EXPECT_EQ(scan(log.file(0)).size(), 3U);
  expect_damage(offsets[3], log.bytes().size());
}

TEST_F(LogScannerTest, ADamagedLastRecordIsDamageWhenAllOfItWasWritten) {
  const auto offsets = four_records();
  log.bytes()[offsets[3] + kFrameBytes + 1] = 'x';
  EXPECT_EQ(scan(log.file()).size(), 3U);
  expect_damage(offsets[3], log.bytes().size());
  EXPECT_FALSE(torn_at);
}

}  // namespace
}  // namespace millrace::flume_log
