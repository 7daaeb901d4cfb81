// Data dirs that are several, gone, empty or in use.
#include <gtest/gtest.h>

#include "channel/file/file_channel_fixture.h"

namespace millrace {
namespace {

class FileChannelDirsTest : public FileChannelTest {};

TEST_F(FileChannelDirsTest, UsesSeveralDataDirsAndRefusesOneThatCameBackEmpty) {
  const Keys two{{"dataDirs", "/data, /more"}};
  open(two);
  Bodies expected;
  for (int i = 0; i < 40; ++i) {
    expected.push_back(std::to_string(i) + std::string(20'000, 'x'));
    ASSERT_TRUE(put(kit.slabs.batch_of_bodies({expected.back()})).ok());
  }
  EXPECT_GT(kit.files.list("/data").value().size(), 2U);
  EXPECT_GT(kit.files.list("/more").value().size(), 2U);
  kit.files.crash();
  open(two);
  EXPECT_EQ(drain(), expected);
  channel->stop();
  make({{"dataDirs", "/data,/empty"}});
  const Result<> started = channel->start();
  ASSERT_FALSE(started.ok());
  EXPECT_EQ(started.error().fault(), Fault::kConfig);
  EXPECT_NE(started.error().message().find("/more"), std::string::npos);
  open({{"dataDirs", "/data,/more,/new"}});
  EXPECT_EQ(drain(), Bodies{});
}

// Goal: the operator of a disk that is not mounted learns what is missing and what he can do.
TEST_F(FileChannelDirsTest, RefusesToBeginAnewWhileItsCheckpointKnowsOfEvents) {
  open();
  ASSERT_TRUE(put(kit.slabs.numbered(3)).ok());
  channel->stop();
  for (const std::string& name : kit.files.list("/data").value()) {
    ASSERT_TRUE(kit.files.remove("/data/" + name).ok());
  }
  make();
  const Result<> started = channel->start();
  ASSERT_FALSE(started.ok());
  EXPECT_EQ(started.error().fault(), Fault::kConfig);
  for (const char* part : {"channel c1", "/data", "/check/channel.checkpoint knows of 3 events",
                           "mount the disk", "remove /check/channel.checkpoint"}) {
    EXPECT_NE(started.error().message().find(part), std::string::npos) << part;
  }
  ASSERT_TRUE(kit.files.remove("/check/channel.checkpoint").ok());
  make();
  EXPECT_FALSE(channel->start().ok());
  ASSERT_TRUE(kit.files.remove("/check/channel.meta").ok());
  open();
  EXPECT_EQ(drain(), Bodies{});
}

// Goal: a data dir that was removed and made anew before a kill is not taken for a new one, also
// when no checkpoint knew of the events in it.
TEST_F(FileChannelDirsTest, RefusesToBeginAnewWithoutACheckpoint) {
  open({{"checkpointOnClose", "false"}});
  ASSERT_TRUE(put(kit.slabs.numbered(3)).ok());
  channel->stop();
  for (const std::string& name : kit.files.list("/data").value()) {
    ASSERT_TRUE(kit.files.remove("/data/" + name).ok());
  }
  if (kit.files.exists("/check/channel.checkpoint")) {
    ASSERT_TRUE(kit.files.remove("/check/channel.checkpoint").ok());
  }
  make();
  const Result<> started = channel->start();
  ASSERT_FALSE(started.ok());
  EXPECT_EQ(started.error().fault(), Fault::kConfig);
  for (const char* part : {"/data", "/check/channel.meta says that it was there", "mount the disk",
                           "remove /check/channel.meta"}) {
    EXPECT_NE(started.error().message().find(part), std::string::npos) << started.error().message();
  }
}

// Goal: nothing is acknowledged into a file that nobody will find, nor beside a lost channel.meta.
TEST_F(FileChannelDirsTest, TakesNothingMoreWhenItsFolderIsEmptiedUnderIt) {
  open();
  ASSERT_TRUE(put(kit.slabs.numbered(3)).ok());
  for (const std::string& name : kit.files.list("/data").value()) {
    ASSERT_TRUE(kit.files.remove("/data/" + name).ok());
  }
  const Result<> lost = put(kit.slabs.numbered(2));
  ASSERT_FALSE(lost.ok());
  EXPECT_NE(lost.error().message().find("/data/channel.meta is gone"), std::string::npos)
      << lost.error().message();
  EXPECT_FALSE(channel->health().ok());
  EXPECT_EQ(drain().size(), 3U);  // Still in memory.
  channel->stop();
  EXPECT_EQ(kit.files.list("/data").value(), std::vector<std::string>{});
}

TEST_F(FileChannelDirsTest, WaitsForADirThatAnotherProcessHolds) {
  kit.files.hold_lock("/data/in_use.lock", 4711);
  make();
  const Result<> started = channel->start();
  ASSERT_FALSE(started.ok());
  EXPECT_EQ(started.error().fault(), Fault::kTransient);
  EXPECT_NE(started.error().message().find("4711"), std::string::npos);
  EXPECT_EQ(channel->put(kit.slabs.numbered(1), *std::make_unique<PutDone>()), PutStatus::kClosed);
}

}  // namespace
}  // namespace millrace
