#include "source/spooldir/tracker_file.h"

#include <gtest/gtest.h>

#include <set>

#include "io/fake_file_system.h"

namespace millrace {
namespace {

constexpr SpooledIdentity kIdentity{1000, 123'456'789};

class TrackerFileTest : public testing::Test {
 protected:
  TrackerFileTest() { EXPECT_TRUE(files_.create_directories("/t").ok()); }
  FakeFileSystem files_;
  TrackerFile tracker_{files_, "/t/meta"};
};

TEST_F(TrackerFileTest, TheLastPositionCounts) {
  EXPECT_FALSE(tracker_.load().value().has_value());
  for (const std::uint64_t offset : {10, 300, 1000}) {
    ASSERT_TRUE(tracker_.store("/spool/a", kIdentity, offset).ok());
    const TrackedPosition position = *TrackerFile(files_, "/t/meta").load().value();
    EXPECT_EQ(position.path, "/spool/a");
    EXPECT_EQ(position.offset, offset);
    EXPECT_EQ(position.identity, kIdentity);
    EXPECT_EQ(position.damage, "");
  }
  ASSERT_TRUE(tracker_.store("/spool/b", kIdentity, 5).ok());
  EXPECT_EQ(TrackerFile(files_, "/t/meta").load().value()->path, "/spool/b");
  ASSERT_TRUE(tracker_.forget().ok());
  EXPECT_FALSE(files_.exists("/t/meta"));
}

// Goal: no damage leads behind what was committed, and none is taken for whole.
TEST_F(TrackerFileTest, CutOrFlippedAnywhereItNeverGoesTooFar) {
  std::set<std::size_t> borders;  // A file cut there is whole.
  for (const std::uint64_t offset : {10, 300, 700}) {
    ASSERT_TRUE(tracker_.store("/spool/a", kIdentity, offset).ok());
    borders.insert(files_.text("/t/meta").size());
  }
  const std::string whole = files_.text("/t/meta");
  std::size_t heads = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    if (const auto cut = parse_tracker(whole.substr(0, at)); cut.ok()) {
      EXPECT_LT(cut.value().offset, 700u) << at;
      const bool is_head = cut.value().offset == 0 && cut.value().damage.empty();
      EXPECT_EQ(cut.value().damage.empty(), is_head || borders.contains(at)) << at;
      heads += is_head ? 1 : 0;
    }
    for (int bit = 0; bit < 8; ++bit) {
      std::string flipped = whole;
      flipped[at] = static_cast<char>(flipped[at] ^ (1 << bit));
      if (const auto read = parse_tracker(flipped); read.ok()) {
        EXPECT_LE(read.value().offset, 700u) << at << " " << bit;
      }
    }
  }
  EXPECT_EQ(heads, 1u);
}

TEST_F(TrackerFileTest, BeginsAnewWhenItIsLarge) {
  for (std::uint64_t offset = 1; offset <= 60'000; ++offset) {
    ASSERT_TRUE(tracker_.store("/spool/a", kIdentity, offset).ok());
  }
  EXPECT_LT(files_.text("/t/meta").size(), TrackerFile::kLargest + 100);
  EXPECT_EQ(tracker_.load().value()->offset, 60'000u);
}

TEST_F(TrackerFileTest, AfterAPowerLossItIsOldOrNew) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    FakeFileSystem files(seed);
    ASSERT_TRUE(files.create_directories("/t").ok());
    TrackerFile tracker(files, "/t/meta");
    ASSERT_TRUE(tracker.store("/spool/a", kIdentity, 100).ok());
    ASSERT_TRUE(tracker.store("/spool/a", kIdentity, 200).ok());
    files.crash();
    const auto position = TrackerFile(files, "/t/meta").load();
    ASSERT_TRUE(position.ok());
    EXPECT_GE(position.value()->offset, 100u);
    EXPECT_LE(position.value()->offset, 200u);
  }
}

}  // namespace
}  // namespace millrace
