#include "channel/file/identity.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "io/fake_file_system.h"

namespace millrace::file_channel {
namespace {

using Paths = std::vector<std::filesystem::path>;

class IdentityTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* dir : {"/a", "/b", "/c"}) {
      ASSERT_TRUE(files_.create_directories(dir).ok());
    }
  }
  Result<Identity> identify_dirs(const Paths& dirs) { return identify(files_, dirs, {}); }
  FakeFileSystem files_;
};

TEST_F(IdentityTest, IsKeptWhateverTheOrderOfTheDirs) {
  const Identity first = identify_dirs({"/a", "/b"}).value();
  const Identity again = identify_dirs({"/b", "/a"}).value();
  EXPECT_EQ(first.channel, again.channel);
  EXPECT_EQ(first.directories[0], again.directories[1]);
}

TEST_F(IdentityTest, RefusesMissingEmptyAndForeignDirs) {
  ASSERT_TRUE(identify_dirs({"/a", "/b"}).ok());
  ASSERT_TRUE(identify_dirs({"/c"}).ok());
  for (const Paths& dirs : {Paths{"/a"}, Paths{"/a", "/c"}, Paths{"/a", "/b", "/c"}}) {
    const Result<Identity> refused = identify_dirs(dirs);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().fault(), Fault::kConfig);
  }
  ASSERT_TRUE(files_.remove("/b/channel.meta").ok());  // Not mounted.
  const Result<Identity> refused = identify_dirs({"/a", "/b"});
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message().find("/b"), std::string::npos);
}

TEST_F(IdentityTest, AnEmptyDirMayBeAdded) {
  const Identity first = identify_dirs({"/a"}).value();
  const Identity grown = identify_dirs({"/a", "/b"}).value();
  EXPECT_EQ(first.channel, grown.channel);
  EXPECT_FALSE(identify_dirs({"/a"}).ok());
}

TEST_F(IdentityTest, OnlyALostDirCanBeGivenUp) {
  const auto refusal = [&](const Paths& dirs, const std::string& lost) {
    const Result<Identity> refused = read_identity(files_, dirs, Paths{lost});
    return refused.ok() ? "" : refused.error().message();
  };
  ASSERT_TRUE(identify_dirs({"/a", "/b", "/c"}).ok());
  EXPECT_NE(refusal({"/a", "/b"}, "/c").find("/c is not lost"), std::string::npos);
  ASSERT_TRUE(files_.create_directories("/moved").ok());
  ASSERT_TRUE(files_.rename("/c/channel.meta", "/moved/channel.meta").ok());
  EXPECT_EQ(refusal({"/a", "/b", "/moved"}, "/c"),
            "no data dir of the channel is missing that was at /c; it has /a, /b, /moved");
  EXPECT_EQ(refusal({"/a", "/b"}, "/d"),
            "no data dir of the channel is missing that was at /d; it has /a, /b, /c (missing)");
  EXPECT_NE(refusal({"/a"}, "/c").find("another data dir was at /b"), std::string::npos);
  EXPECT_EQ(refusal({"/a", "/b"}, "/c/"), "");
  EXPECT_NE(identify_dirs({"/a", "/b"}).error().message().find("`millrace channel forget /c`"),
            std::string::npos);
}

TEST_F(IdentityTest, ACheckpointOfEventsForbidsToBeginAnew) {
  const Paths dirs{"/a", "/b"};
  const KnownChannel known{7, {"/check/channel.checkpoint", "/check/channel.meta"}};
  const Result<Identity> refused = identify(files_, dirs, known);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().fault(), Fault::kConfig);
  for (const char* part :
       {"/a, /b", "/check/channel.checkpoint knows of 7 events", "mount the disk",
        "remove /check/channel.checkpoint and /check/channel.meta"}) {
    EXPECT_NE(refused.error().message().find(part), std::string::npos) << part;
  }
}

// Goal: a power cut at any step of the first start, or of the one that adds a dir, never makes the
// next start fail.
TEST_F(IdentityTest, AnyStepMayBeTheLastBeforeAPowerCut) {
  for (const bool adds : {false, true}) {
    for (std::uint64_t cut = 0; cut < 40; ++cut) {
      FakeFileSystem files(cut);
      for (const char* dir : {"/a", "/b", "/c"}) {
        ASSERT_TRUE(files.create_directories(dir).ok());
      }
      const Paths two{"/a", "/b"};
      const Paths three{"/a", "/b", "/c"};
      if (adds) {
        ASSERT_TRUE(identify(files, two, {}).ok());
      }
      const std::uint64_t start = files.operations();
      files.on_operation([&](const FakeFileSystem::Call& call) {
        if (call.number >= start + cut) {
          files.cut_power();
        }
      });
      const bool was_in_time = identify(files, three, {}).ok();
      files.on_operation(nullptr);
      files.crash();
      const Result<Identity> after = identify(files, three, {});
      ASSERT_TRUE(after.ok()) << "cut " << cut << ", " << was_in_time << ": "
                              << after.error().message();
    }
  }
}

// Goal: a dir is given up, or as if nobody had begun, wherever the power is cut; and once it is, it
// stays so, while an empty one may take its place.
TEST_F(IdentityTest, AForgottenDirStaysSoWhereverThePowerIsCut) {
  const Paths left{"/a", "/b"};
  const Paths all{"/a", "/b", "/c"};
  const Paths lost{"/c"};
  int ends = 0;  // A bit for each of the two.
  for (std::uint64_t cut = 0; cut < 60; ++cut) {
    SCOPED_TRACE(cut);
    FakeFileSystem files(cut);
    for (const char* dir : {"/a", "/b", "/c"}) {
      ASSERT_TRUE(files.create_directories(dir).ok());
    }
    const Identity before = identify(files, all, {}).value();
    const std::string of_lost = files.text("/c/channel.meta");
    ASSERT_TRUE(files.remove("/c/channel.meta").ok() && files.sync_directory("/c").ok());
    const std::uint64_t start = files.operations();
    files.on_operation([&](const FakeFileSystem::Call& call) {
      if (call.number >= start + cut) {
        files.cut_power();
      }
    });
    const bool was_in_time = identify(files, left, {}, lost).ok();
    files.on_operation(nullptr);
    files.crash();
    const bool took_place = identify(files, left, {}).ok();
    EXPECT_TRUE(took_place || !was_in_time);
    ends |= took_place ? 1 : 2;
    if (!took_place) {
      ASSERT_TRUE(identify(files, left, {}, lost).ok());
    }
    files.put("/c/channel.meta", of_lost);
    const Result<Identity> refused = read_identity(files, all);
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.error().message().find("/c was given up"), std::string::npos);
    ASSERT_TRUE(files.remove("/c/channel.meta").ok());
    const Result<Identity> with_a_new_one = identify(files, all, {});
    ASSERT_TRUE(with_a_new_one.ok()) << with_a_new_one.error().message();
    EXPECT_EQ(with_a_new_one.value().forgotten, std::vector<Id>{before.directories[2]});
  }
  EXPECT_EQ(ends, 3);
}

}  // namespace
}  // namespace millrace::file_channel
