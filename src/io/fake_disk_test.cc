// What a power loss, or a kill, leaves of the fake file system, told change by change.
#include <gtest/gtest.h>

#include "io/fake_file_system.h"

namespace millrace {
namespace {

using Kind = FakeDisk::Unsynced::Kind;

class FakeDiskTest : public testing::Test {
 protected:
  void SetUp() override { files_.put("/d/f", std::string(4096, '.')); }
  std::unique_ptr<File> open(const std::string& path) {
    return std::move(files_.open(path, OpenMode::kReadWrite)).value();
  }
  // Loses power, keeping of the unsynced changes these; `kept` must name all.
  void lose_power(const std::vector<unsigned>& kept) {
    ASSERT_EQ(files_.unsynced().size(), kept.size());
    files_.restore_power(kept);
  }
  FakeFileSystem files_;
};

TEST_F(FakeDiskTest, TearsAWriteAtAnySector) {
  ASSERT_TRUE(open("/d/f")->write_at(std::string(1500, 'x'), 0).ok());
  EXPECT_EQ(files_.unsynced().front().sectors, 0b111U);
  lose_power({0b101});
  EXPECT_EQ(files_.text("/d/f"), std::string(512, 'x') + std::string(512, '.') +
                                     std::string(476, 'x') + std::string(2596, '.'));
}

TEST_F(FakeDiskTest, KeepsALaterWriteWithoutTheOneBeforeIt) {
  files_.put("/d/g", std::string(4096, '.'));
  ASSERT_TRUE(open("/d/f")->write_at("first", 0).ok());
  ASSERT_TRUE(open("/d/g")->write_at("later", 0).ok());
  lose_power({0, 1});
  EXPECT_EQ(files_.text("/d/f").substr(0, 5), ".....");
  EXPECT_EQ(files_.text("/d/g").substr(0, 5), "later");
}

TEST_F(FakeDiskTest, KeepsAPageAsItWasBetweenTwoWrites) {
  const auto file = open("/d/f");
  ASSERT_TRUE(file->write_at("first", 0).ok());
  ASSERT_TRUE(file->write_at("later", 0).ok());
  lose_power({1, 0});
  EXPECT_EQ(files_.text("/d/f").substr(0, 5), "first");
}

TEST_F(FakeDiskTest, SizeAndBytesSurviveApart) {
  for (const bool size_survives : {true, false}) {
    files_.put("/d/f", "abc");
    ASSERT_TRUE(open("/d/f")->write_at("def", 3).ok());
    ASSERT_EQ(files_.unsynced().front().kind, Kind::kSize);
    lose_power(size_survives ? std::vector<unsigned>{1, 0} : std::vector<unsigned>{0, 1});
    EXPECT_EQ(files_.text("/d/f"), size_survives ? std::string("abc\0\0\0", 6) : "abc");
  }
}

TEST_F(FakeDiskTest, ACutFileDoesNotGetItsBytesBackByGrowing) {
  const auto file = open("/d/f");
  ASSERT_TRUE(file->truncate(1).ok());
  ASSERT_TRUE(file->truncate(3).ok());
  EXPECT_EQ(files_.text("/d/f"), std::string(".\0\0", 3));
  lose_power({1, 1});
  EXPECT_EQ(files_.text("/d/f"), std::string(".\0\0", 3));
}

TEST_F(FakeDiskTest, AnyOfTheNewNamesSurvives) {
  for (const char* path : {"/d/a", "/d/b"}) {
    ASSERT_TRUE(files_.open(path, OpenMode::kCreate).ok());
  }
  ASSERT_TRUE(files_.rename("/d/f", "/d/g").ok());
  lose_power({0, 1, 0});
  EXPECT_EQ(files_.list("/d").value(), (std::vector<std::string>{"b", "f"}));
}

TEST_F(FakeDiskTest, AKillLosesNothingThatWasWrittenAndSyncsNothing) {
  const auto file = open("/d/f");
  const auto lock = files_.lock("/d/lock");
  ASSERT_TRUE(file->write_at("new", 0).ok());
  files_.end_process();
  EXPECT_EQ(files_.text("/d/f").substr(0, 3), "new");
  EXPECT_FALSE(file->write_at("newer", 0).ok());
  EXPECT_TRUE(files_.lock("/d/lock").ok());
  lose_power({0});
  EXPECT_EQ(files_.text("/d/f").substr(0, 3), "...");
}

// Goal: a kill in the middle of a write leaves a first part of it. Method: many writes of two
// bytes.
TEST_F(FakeDiskTest, AKillCutsAWriteShort) {
  std::set<std::string> seen;
  for (int round = 0; round < 50; ++round) {
    files_.put("/d/f", "..");
    const auto file = open("/d/f");
    files_.on_operation([this](const FakeFileSystem::Call&) { files_.cut_power(); });
    EXPECT_FALSE(file->write_at("xy", 0).ok());
    EXPECT_FALSE(file->write_at("zz", 0).ok());
    files_.on_operation(nullptr);
    files_.end_process();
    seen.insert(files_.text("/d/f"));
  }
  EXPECT_EQ(seen, (std::set<std::string>{"..", "x.", "xy"}));
}

TEST_F(FakeDiskTest, AForkGoesItsOwnWay) {
  ASSERT_TRUE(open("/d/f")->write_at("unsynced", 0).ok());
  const auto fork = files_.fork(7);
  ASSERT_TRUE(fork->remove("/d/f").ok());
  EXPECT_EQ(files_.text("/d/f").substr(0, 8), "unsynced");
  fork->restore_power(std::vector<unsigned>{1, 0});
  EXPECT_EQ(fork->text("/d/f").substr(0, 8), "unsynced");
  ASSERT_TRUE(fork->open("/d/f", OpenMode::kReadWrite).value()->write_at("other", 0).ok());
  EXPECT_EQ(files_.text("/d/f").substr(0, 8), "unsynced");
  lose_power({0});
  EXPECT_EQ(files_.text("/d/f").substr(0, 8), "........");
}

}  // namespace
}  // namespace millrace
