#include "channel/file/damage_removal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "channel/file/file_channel_fixture.h"

namespace millrace::file_channel {
namespace {

const ChannelFolders kFolders{{"/check"}, {"/data"}};
const std::string kFirst = "/data/segment-000001.wal";

class DamageRemovalTest : public FileChannelTest {
 protected:
  // Groups at 4096, 8192 and 12288.
  void fill() {
    open();
    for (const char* prefix : {"a", "b", "c"}) {
      ASSERT_TRUE(put(kit.slabs.numbered(3, prefix)).ok());
    }
    channel->stop();
  }
  DamageRemoval remove() {
    Result<DamageRemoval> removal = remove_damage(kit.files, kFolders, [](auto, auto) {});
    EXPECT_TRUE(removal.ok()) << removal.error().message();
    return std::move(removal).value();
  }
  bool is_clean() {
    Result<ChannelView> view = view_channel(kit.files, kFolders);
    Result<ChannelCheck> check = check_channel(kit.files, kFolders, *view, [](auto, auto) {});
    return check.ok() && check->is_clean();
  }
};

TEST_F(DamageRemovalTest, AWholeChannelIsLeftAsItIs) {
  fill();
  const std::string before = kit.files.text(kFirst);
  kit.files.on_operation([](const FakeFileSystem::Call& call) {
    EXPECT_NE(call.operation, Operation::kWrite) << call.path;
    EXPECT_NE(call.operation, Operation::kRename) << call.path;
  });
  const DamageRemoval removal = remove();
  kit.files.on_operation({});
  EXPECT_TRUE(removal.check.is_clean());
  EXPECT_TRUE(removal.given_up.empty());
  EXPECT_EQ(kit.files.text(kFirst), before);
}

// Goal: after it a start finds nothing wrong, and every whole event is delivered. Method: a flipped
// byte, and a segment without a header beside it; with and without the checkpoint.
class DamageRemovalWithTest : public DamageRemovalTest, public testing::WithParamInterface<bool> {};

TEST_P(DamageRemovalWithTest, WhatIsDamagedIsTakenOut) {
  fill();
  std::string bytes = kit.files.text(kFirst);
  bytes[bytes.find("b1")] ^= 1;
  kit.files.put(kFirst, bytes);
  const std::string other = "/data/segment-000050";
  kit.files.put(other + ".wal", std::string(9000, 'x'));
  if (!GetParam()) {
    ASSERT_TRUE(kit.files.remove("/check/channel.checkpoint").ok());
  }
  EXPECT_FALSE(is_clean());
  EXPECT_EQ(remove().given_up.all(), (std::vector<EventRange>{{4, 5}}));
  EXPECT_TRUE(is_clean());
  kit.files.crash();  // It is durable.
  EXPECT_EQ(kit.files.text(other + ".damaged"), std::string(9000, 'x'));
  open();
  EXPECT_EQ(channel->counts().dropped, 1U);
  EXPECT_EQ(drain(), (Bodies{"a0", "a1", "a2", "b0", "b2", "c0", "c1", "c2"}));
  EXPECT_EQ(channel->counts().dropped, 1U);
  expect_conserved();
  channel->stop();
  EXPECT_TRUE(remove().check.is_clean());
}

INSTANTIATE_TEST_SUITE_P(Checkpoint, DamageRemovalWithTest, testing::Bool());

// Goal: of a large channel too. Method: nobody else writes while it is locked, so the headers of
// its records are gone through for the view, for the check and for the recovery, and not again.
TEST_F(DamageRemovalTest, TheLogIsReadAFewTimesAlone) {
  fill();
  std::string bytes = kit.files.text(kFirst);
  bytes[bytes.find("b1")] ^= 1;
  kit.files.put(kFirst, bytes);
  std::atomic<int> opened = 0;
  kit.files.on_operation([&](const FakeFileSystem::Call& call) {
    opened += call.operation == Operation::kOpen && call.path == kFirst ? 1 : 0;
  });
  EXPECT_EQ(remove().given_up.count(), 1U);
  kit.files.on_operation({});
  EXPECT_LT(opened, 12);
}

TEST_F(DamageRemovalTest, AChannelInUseIsRefused) {
  fill();
  kit.files.hold_lock("/data/in_use.lock", 4711);
  const Result<DamageRemoval> removal = remove_damage(kit.files, kFolders, [](auto, auto) {});
  ASSERT_FALSE(removal.ok());
  EXPECT_NE(removal.error().message().find("4711"), std::string::npos);
}

TEST_F(DamageRemovalTest, AFolderWithoutAChannelStaysAsItIs) {
  ASSERT_TRUE(kit.files.create_directories("/data").ok());
  EXPECT_FALSE(remove_damage(kit.files, kFolders, [](auto, auto) {}).ok());
  EXPECT_TRUE(kit.files.contents("/data").empty());
}

}  // namespace
}  // namespace millrace::file_channel
