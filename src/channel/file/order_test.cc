// The order in which events of several data dirs come out.
#include <gtest/gtest.h>

#include <cerrno>
#include <future>
#include <utility>

#include "channel/file/file_channel_fixture.h"

namespace millrace {
namespace {

// The first put goes to /data, whose sync waits until release(); the second to /other.
class FileChannelOrderTest : public FileChannelTest {
 protected:
  void SetUp() override {
    open({{"dataDirs", "/data,/other"}});
    kit.files.on_operation([this](const FakeFileSystem::Call& call) {
      if (call.operation == Operation::kSync && call.path.parent_path() == "/data") {
        released_.wait();
      }
    });
    PutDone done = [this](const Result<>& result) { answered_.set_value(result.ok()); };
    ASSERT_EQ(channel->put(kit.slabs.batch_of_bodies({first_}), done), PutStatus::kAccepted);
    ASSERT_TRUE(put(kit.slabs.batch_of_bodies({"second"})).ok());
  }
  void TearDown() override {
    release();
    channel.reset();  // Its syncs look at what we hold.
  }
  void release() {
    if (!std::exchange(is_released_, true)) {
      release_.set_value();
    }
  }

  const std::string first_ = std::string(300'000, 'x');  // A dir's turn is shorter.
  std::promise<bool> answered_;

 private:
  std::promise<void> release_;
  bool is_released_ = false;
  const std::shared_future<void> released_ = release_.get_future().share();
};

TEST_F(FileChannelOrderTest, WhatWasPutLaterWaitsForWhatWasPutBefore) {
  EXPECT_FALSE(take().has_value());
  release();
  ASSERT_TRUE(answered_.get_future().get());
  EXPECT_EQ(drain(), (Bodies{first_, "second"}));
}

TEST_F(FileChannelOrderTest, ButNotForAPutThatFailed) {
  for (const Operation operation : {Operation::kWrite, Operation::kSync, Operation::kAllocate}) {
    kit.files.fail(operation, EIO, 0, UINT64_MAX, "/data");
  }
  release();
  ASSERT_FALSE(answered_.get_future().get());
  EXPECT_EQ(drain(), Bodies{"second"});
}

}  // namespace
}  // namespace millrace
