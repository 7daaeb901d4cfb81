// A data dir that is gone for good is given up: what the others hold comes out, and the rest is
// counted.
#include "channel/file/forgetting.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <map>

#include "channel/file/file_channel_fixture.h"

namespace millrace::file_channel {
namespace {

using Path = std::filesystem::path;

class ForgettingTest : public FileChannelTest {
 protected:
  const Keys three{{"dataDirs", "/a,/b,/c"}};
  const Keys two{{"dataDirs", "/a,/b"}};

  // Events of 20 KB, so that each dir has its turn, more than once.
  void put_many(int count) {
    for (int i = 0; i < count; ++i) {
      bodies_.push_back("<" + std::to_string(bodies_.size()) + ">" + std::string(20'000, 'x'));
      ASSERT_TRUE(put(kit.slabs.batch_of_bodies({bodies_.back()})).ok());
    }
  }
  bool is_in(const Path& dir, const std::string& body) {
    const std::vector<std::string> names = kit.files.list(dir).value();
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return kit.files.text(dir / name).find(body) != std::string::npos;
    });
  }
  // All but those in the dir, from number `first` on.
  Bodies bodies_without(const Path& dir, std::size_t first) {
    Bodies bodies;
    for (std::size_t i = first; i < bodies_.size(); ++i) {
      if (!is_in(dir, bodies_[i])) {
        bodies.push_back(bodies_[i]);
      }
    }
    return bodies;
  }
  // The disk is dead, and an empty one may be in its place: its files, with their names.
  std::map<Path, std::string> lose(const Path& dir) {
    std::map<Path, std::string> lost;
    for (const std::string& name : kit.files.list(dir).value()) {
      lost[dir / name] = kit.files.text(dir / name);
      EXPECT_TRUE(kit.files.remove(dir / name).ok());
    }
    return lost;
  }
  std::string refusal_to_start(const Keys& keys) {
    make(keys);
    const Result<> started = channel->start();
    return started.ok() ? "" : started.error().message();
  }
  static ChannelFolders without(const Path& lost, std::vector<Path> named = {"/a", "/b"}) {
    return {{"/check"}, std::move(named), {}, {lost}};
  }

  Bodies bodies_;
};

TEST_F(ForgettingTest, WhatIsLeftComesOutAndTheRestIsDropped) {
  open(three);
  put_many(100);
  const Lease lease = *take(10);
  const std::size_t delivered = lease.batch->size();
  commit(lease);
  channel->stop();
  const Bodies left = bodies_without("/c", delivered);
  const std::size_t lost = bodies_.size() - delivered - left.size();
  ASSERT_GT(lost, 20U);
  const std::map<Path, std::string> files = lose("/c");
  EXPECT_NE(refusal_to_start(two).find("`millrace channel forget /c`"), std::string::npos);
  for (const bool for_good : {false, true}) {
    EXPECT_NE(refusal_to_start(two), "");
    const Result<Loss> loss = forget_dirs(kit.files, without("/c"), for_good);
    ASSERT_TRUE(loss.ok()) << loss.error().message();
    EXPECT_EQ((*loss).events, lost);
    EXPECT_EQ((*loss).events_left, left.size());
  }
  EXPECT_EQ(decode_meta(kit.files.text("/check/channel.meta")).value().forgotten.size(), 1U);
  open(two);
  EXPECT_EQ(drain(), left);
  expect_conserved();
  EXPECT_EQ(channel->counts().put, 100U);
  EXPECT_EQ(channel->counts().dropped, lost);
  put_many(30);
  channel->stop();
  open(two);
  EXPECT_EQ(drain(), Bodies(bodies_.begin() + 100, bodies_.end()));
  expect_conserved();
  EXPECT_EQ(channel->counts().put, 130U);
  EXPECT_EQ(channel->counts().dropped, lost);
  channel->stop();
  for (const auto& [path, bytes] : files) {
    kit.files.put(path, bytes);
  }
  EXPECT_NE(refusal_to_start(three).find("/c was given up"), std::string::npos);
  lose("/c");
  open(three);
  put_many(40);
  EXPECT_EQ(drain().size(), 40U);
}

// Goal: the numbers that only the lost dir had given are given again, and nothing that is left, the
// lost dir least of all, is mistaken for the events that get them.
TEST_F(ForgettingTest, NumbersThatNobodyElseKnowsAreGivenAgain) {
  open({{"dataDirs", "/a,/b,/c"}, {"checkpointOnClose", "false"}});
  do {
    put_many(1);
  } while (!HasFatalFailure() && !is_in("/c", bodies_.back()));
  channel->stop();
  static_cast<void>(kit.files.remove("/check/channel.checkpoint"));
  const Bodies left = bodies_without("/c", 0);
  ASSERT_LT(left.size(), bodies_.size());
  const std::map<Path, std::string> files = lose("/c");
  const Result<Loss> loss = forget_dirs(kit.files, without("/c"), true);
  ASSERT_TRUE(loss.ok()) << loss.error().message();
  EXPECT_EQ((*loss).events, 0U);
  EXPECT_EQ((*loss).events_left, left.size());
  EXPECT_EQ((*loss).view.log.events.next, left.size());
  open(two);
  bodies_ = left;
  put_many(20);
  channel->stop();
  open(two);
  EXPECT_EQ(drain(), bodies_);
  expect_conserved();
  EXPECT_EQ(channel->counts().put, bodies_.size());
  channel->stop();
  for (const auto& [path, bytes] : files) {
    kit.files.put(path, bytes);
  }
  EXPECT_FALSE(view_channel(kit.files, {{"/check"}, {"/a", "/b", "/c"}}).ok());
}

TEST_F(ForgettingTest, WhatIsNamedInDataDirsIsTold) {
  open(three);
  put_many(20);
  channel->stop();
  lose("/c");
  const Result<Loss> empty = forget_dirs(kit.files, without("/c", {"/a", "/b", "/c"}), false);
  ASSERT_TRUE(empty.ok()) << empty.error().message();
  EXPECT_EQ((*empty).taken_as_new, std::vector<Path>{"/c"});
  EXPECT_TRUE((*empty).in_the_way.empty());
  kit.files.fail_under("/c", EIO);
  const Result<Loss> dead = forget_dirs(kit.files, without("/c", {"/a", "/b", "/c"}), false);
  ASSERT_TRUE(dead.ok()) << dead.error().message();
  EXPECT_TRUE((*dead).taken_as_new.empty());
  EXPECT_EQ((*dead).in_the_way, std::vector<Path>{"/c"});
}

TEST_F(ForgettingTest, SeveralAreGivenUpTogetherAndTheLastOneNot) {
  open(three);
  put_many(20);
  channel->stop();
  lose("/b");
  lose("/c");
  const auto refusal = [&](const ChannelFolders& folders) {
    const Result<Loss> refused = forget_dirs(kit.files, folders, true);
    return refused.ok() ? "" : refused.error().message();
  };
  EXPECT_NE(refusal(without("/c")).find("another data dir was at /b"), std::string::npos);
  EXPECT_NE(refusal_to_start({{"dataDirs", "/a"}}).find("`millrace channel forget /b /c`"),
            std::string::npos);
  EXPECT_NE(refusal(without("/a", {"/b", "/c"})).find("no other data dir"), std::string::npos);
  EXPECT_EQ(refusal({{"/check"}, {"/a"}, {}, {"/b", "/c"}}), "");
  open({{"dataDirs", "/a"}});
}

TEST_F(ForgettingTest, WaitsForTheProcessThatHoldsADir) {
  open(three);
  channel->stop();
  lose("/c");
  kit.files.hold_lock("/b/in_use.lock", 4711);
  const Result<Loss> refused = forget_dirs(kit.files, without("/c"), true);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().fault(), Fault::kTransient);
  EXPECT_NE(refused.error().message().find("4711"), std::string::npos);
  EXPECT_FALSE(read_identity(kit.files, std::vector<Path>{"/a", "/b"}).ok());
}

}  // namespace
}  // namespace millrace::file_channel
