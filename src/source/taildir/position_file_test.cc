#include "source/taildir/position_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/fake_file_system.h"

namespace millrace {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::vector<TailEntry> kEntries{{7, 12, "/logs/a.log", {12, 4'000'000'000}},
                                      {8, 0, "/logs/b \"x\".log", {}}};

class PositionFileTest : public testing::Test {
 protected:
  LoadedEntries load() {
    Result<LoadedEntries> loaded = positions_.load();
    EXPECT_TRUE(loaded.ok());
    return loaded.ok() ? std::move(loaded).value() : LoadedEntries();
  }

  FakeFileSystem files_;
  PositionFile positions_{files_, "/state/p.json"};
};

TEST_F(PositionFileTest, GivesBackWhatItHasSaved) {
  ASSERT_TRUE(positions_.open().ok());
  EXPECT_THAT(load().entries, IsEmpty());
  ASSERT_TRUE(positions_.save(kEntries).ok());
  const LoadedEntries loaded = load();
  EXPECT_EQ(loaded.entries, kEntries);
  EXPECT_THAT(loaded.findings, IsEmpty());
  EXPECT_FALSE(loaded.is_damaged);
}

TEST_F(PositionFileTest, WritesFlumesFormat) {
  ASSERT_TRUE(positions_.open().ok());
  ASSERT_TRUE(positions_.save(kEntries).ok());
  EXPECT_EQ(files_.text("/state/p.json"), R"([{"inode":7,"pos":12,"file":"/logs/a.log"},)"
                                          R"({"inode":8,"pos":0,"file":"/logs/b \"x\".log"}])");
}

// Goal: positions that this format's first version has kept are read for ever, and written alike.
TEST_F(PositionFileTest, ReadsAndWritesTheFirstVersion) {
  const std::filesystem::path folder = MILLRACE_SOURCE_DIR "/tests/golden/taildir";
  Result<std::string> golden = read_file(real_file_system(), folder / "positions.json");
  Result<std::string> heads = read_file(real_file_system(), folder / "positions.json.heads");
  ASSERT_TRUE(golden.ok() && heads.ok());
  LoadedEntries loaded = parse_positions(*golden, "positions");
  parse_heads(*heads, "heads", loaded);
  EXPECT_THAT(loaded.findings, IsEmpty());
  EXPECT_THAT(loaded.entries,
              ElementsAre(TailEntry{2496275, 12, "/var/log/app/web.log", {12, 3'813'443'217}},
                          TailEntry{2496276, 0, "/var/log/a \"b\"\\c\x01.log", {}}));
  EXPECT_EQ(positions_text(loaded.entries), *golden);
  EXPECT_EQ(heads_text(loaded.entries), *heads);
}

// As Gson writes them, which Flume uses.
TEST_F(PositionFileTest, ReadsFlumesFiles) {
  files_.put(
      "/state/p.json",
      R"([{"inode":2496275,"pos":12,"file":"/a/b\u003d1.log"},{"inode":-3,"pos":0,"file":"/c"}])");
  const LoadedEntries loaded = load();
  EXPECT_THAT(loaded.entries, ElementsAre(TailEntry{2496275, 12, "/a/b=1.log", {}},
                                          TailEntry{UINT64_MAX - 2, 0, "/c", {}}));
  EXPECT_THAT(loaded.findings, IsEmpty());
  files_.put("/state/p.json", "");
  EXPECT_THAT(load().entries, IsEmpty());
  EXPECT_FALSE(load().is_damaged);
}

TEST_F(PositionFileTest, SaysWhichEntriesLackSomething) {
  files_.put("/state/p.json", R"([{"inode":12,"file":"/x"},{"inode":1,"pos":-1,"file":"/y"},)"
                              R"({"inode":2,"pos":5,"file":"/z"}])");
  const LoadedEntries loaded = load();
  EXPECT_THAT(loaded.entries, ElementsAre(TailEntry{2, 5, "/z", {}}));
  EXPECT_THAT(loaded.findings, ElementsAre(HasSubstr("/state/p.json: 2 entries lack")));
  EXPECT_TRUE(loaded.is_damaged);
}

// Goal: however the file is cut, it is read: no position is ahead of the one that was written, and
// the damage is told.
TEST_F(PositionFileTest, CutAtEveryByteNoPositionGrows) {
  const std::string whole = positions_text(kEntries);
  for (std::size_t size = 1; size < whole.size(); ++size) {
    files_.put("/state/p.json", whole.substr(0, size));
    const LoadedEntries loaded = load();
    EXPECT_TRUE(loaded.is_damaged) << size;
    EXPECT_THAT(loaded.findings, ElementsAre(HasSubstr("/state/p.json is damaged"))) << size;
    ASSERT_LE(loaded.entries.size(), kEntries.size());
    for (std::size_t i = 0; i < loaded.entries.size(); ++i) {
      EXPECT_EQ(loaded.entries[i].position, kEntries[i].position);
      EXPECT_EQ(loaded.entries[i].path, kEntries[i].path);
    }
  }
}

TEST_F(PositionFileTest, WithoutHeadsFilesAreKnownByTheirNumbers) {
  ASSERT_TRUE(positions_.open().ok());
  ASSERT_TRUE(positions_.save(kEntries).ok());
  files_.put("/state/p.json.heads", R"([{"inode":7,"size":12,"cr)");
  const LoadedEntries loaded = load();
  ASSERT_EQ(loaded.entries.size(), 2u);
  EXPECT_EQ(loaded.entries[0].position, 12u);
  EXPECT_EQ(loaded.entries[0].head, FileHead());
  EXPECT_THAT(loaded.findings, ElementsAre(HasSubstr("p.json.heads is damaged")));
}

TEST_F(PositionFileTest, WhatCannotBeReadIsNotTakenForNothing) {
  files_.put("/state/p.json", positions_text(kEntries));
  files_.fail_always(FakeFileSystem::Operation::kRead, EIO);
  EXPECT_FALSE(positions_.load().ok());
}

TEST_F(PositionFileTest, WritesOnlyWhatHasChanged) {
  ASSERT_TRUE(positions_.open().ok());
  ASSERT_TRUE(positions_.save(kEntries).ok());
  const std::uint64_t before = files_.operations();
  ASSERT_TRUE(positions_.save(kEntries).ok());
  EXPECT_EQ(files_.operations(), before);
}

TEST_F(PositionFileTest, IsOneSourcesAlone) {
  ASSERT_TRUE(positions_.open().ok());
  PositionFile other(files_, "/state/p.json");
  const Result<> refused = other.open();
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().fault(), Fault::kTransient);
  positions_.close();
  EXPECT_TRUE(other.open().ok());
}

// Goal: whenever the power goes, a position is one that was saved, and its head belongs to the
// file.
TEST_F(PositionFileTest, SurvivesAPowerLossAtEveryStep) {
  std::vector<TailEntry> later = kEntries;
  later[0].position = 100;
  later[0].head = {100, 5};
  for (std::uint64_t step = 0;; ++step) {
    FakeFileSystem files(step + 1);
    PositionFile positions(files, "/state/p.json");
    ASSERT_TRUE(positions.open().ok());
    ASSERT_TRUE(positions.save(kEntries).ok());
    const std::uint64_t cut_at = files.operations() + step;
    files.on_operation([&](const FakeFileSystem::Call& call) {
      if (call.number == cut_at) {
        files.cut_power();
      }
    });
    const bool saved = positions.save(later).ok();
    files.on_operation(nullptr);
    files.crash();
    PositionFile after(files, "/state/p.json");
    ASSERT_TRUE(after.open().ok());
    Result<LoadedEntries> loaded = after.load();
    ASSERT_TRUE(loaded.ok());
    EXPECT_FALSE(loaded->is_damaged) << step;
    EXPECT_THAT(loaded->findings, IsEmpty()) << step;
    ASSERT_EQ(loaded->entries.size(), 2u) << step;
    const TailEntry& entry = loaded->entries[0];
    EXPECT_TRUE(entry.position == 12 || entry == later[0]) << step;
    EXPECT_TRUE(entry.head == kEntries[0].head || entry.head == later[0].head) << step;
    if (saved) {
      EXPECT_EQ(loaded->entries, later);
      EXPECT_GT(step, 8u);
      return;
    }
  }
}

}  // namespace
}  // namespace millrace
