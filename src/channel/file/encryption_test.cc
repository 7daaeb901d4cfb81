// Encryption at rest of a whole channel: switching it on and off, other keys, missing ones, damage.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "channel/file/encryption_fixture.h"

namespace millrace {
namespace {

using testing::Contains;
using testing::HasSubstr;

constexpr const char* kSecondSegment = "/data/segment-000002.wal";

TEST_F(FileChannelEncryptionTest, NothingOfAnEventStandsOnTheDiskAndAllComesBack) {
  for (const char* key : {"k1", "k2"}) {
    for (const bool with_checkpoint : {true, false}) {
      SCOPED_TRACE(key);
      open(with_keys(key));
      ASSERT_TRUE(put(kit.slabs.batch_of({{"a secret", {{"host", "web-1"}}}, {"taken", {}}})).ok());
      put_all({"another secret"});
      commit(*take(2));
      ASSERT_TRUE(put(kit.slabs.numbered(50, "secret ")).ok());
      channel->stop();
      for (const char* text : {"secret", "taken", "host", "web-1"}) {
        EXPECT_EQ(kit.files.text(kFirstSegment).find(text), std::string::npos) << text;
      }
      if (!with_checkpoint) {
        forget_checkpoint();
      }
      open(with_keys(key));
      const Bodies bodies = drain();
      ASSERT_EQ(bodies.size(), 51U);
      EXPECT_EQ(bodies.front(), "another secret");
      EXPECT_EQ(bodies.back(), "secret 49");
      EXPECT_EQ(channel->counts().dropped, 0U);
      expect_conserved();
      channel->stop();
    }
  }
}

TEST_F(FileChannelEncryptionTest, WhatGoesToDiskAloneIsReadBack) {
  open(with_keys("k2"), 1 << 16);
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(put(kit.slabs.numbered(100, std::string(100, 'x'))).ok());
  }
  EXPECT_EQ(drain().size(), 5000U);
  EXPECT_EQ(channel->counts().dropped, 0U);
}

TEST_F(FileChannelEncryptionTest, IsSwitchedOnAndOffSegmentBySegment) {
  open();
  put_all({"in the clear"});
  channel->stop();
  open(with_keys("k1"));
  put_all({"encrypted"});
  channel->stop();
  open(with_keys("NONE"));
  put_all({"in the clear again"});
  channel->stop();
  EXPECT_FALSE(is_encrypted(kFirstSegment));
  EXPECT_TRUE(is_encrypted(kSecondSegment));
  EXPECT_FALSE(is_encrypted("/data/segment-000003.wal"));
  forget_checkpoint();
  open(with_keys("NONE"));
  EXPECT_EQ(drain(), (Bodies{"in the clear", "encrypted", "in the clear again"}));
}

TEST_F(FileChannelEncryptionTest, AnotherActiveKeyIsForNewSegmentsAndTheOldOneReads) {
  open(with_keys("k1", "k1"));
  put_all({"with k1"});
  channel->stop();
  open(with_keys("k2", "k1 k2"));
  put_all({"with k2"});
  EXPECT_EQ(drain(), (Bodies{"with k1", "with k2"}));
  put_all({"left"});
  channel->stop();
  open(with_keys("k2", "k2"));  // Of k1's segment nothing is needed any more.
  EXPECT_EQ(drain(), Bodies{"left"});
}

TEST_F(FileChannelEncryptionTest, AMissingKeyStopsTheStartAndDamagesNothing) {
  open(with_keys("k1"));
  put_all({"one", "two", "three"});
  commit(*take(1));
  channel->stop();
  for (const bool with_checkpoint : {true, false}) {
    if (!with_checkpoint) {
      forget_checkpoint();
    }
    for (const Keys& keys : {with_keys("k2", "k2"), Keys()}) {
      const Result<> started = start(keys);
      ASSERT_FALSE(started.ok());
      EXPECT_EQ(started.error().fault(), Fault::kConfig);
      EXPECT_THAT(started.error().message(), HasSubstr("\"k1\""));
      EXPECT_THAT(started.error().message(), HasSubstr(kFirstSegment));
      EXPECT_THAT(started.error().message(),
                  HasSubstr(with_checkpoint ? "; 2 events are in it" : "events are in it"));
    }
  }
  open(with_keys("k2", "k1 k2"));
  EXPECT_EQ(drain(), (Bodies{"two", "three"}));
  EXPECT_EQ(channel->counts().dropped, 0U);
}

TEST_F(FileChannelEncryptionTest, AWrongKeyIsNotTakenForDamage) {
  open(with_keys("k1"));
  put_all({"one"});
  channel->stop();
  kit.files.put("/keys/k1", std::string(16, 'w'));
  const Result<> started = start(with_keys("k1"));
  ASSERT_FALSE(started.ok());
  EXPECT_EQ(started.error().fault(), Fault::kConfig);
  EXPECT_THAT(started.error().message(), HasSubstr("another than the one given"));
  EXPECT_THAT(started.error().message(), HasSubstr("1 events"));
  kit.files.put("/keys/k1", std::string(16, 'x'));
  open(with_keys("k1"));
  EXPECT_EQ(drain(), Bodies{"one"});
}

// Goal: no key and nonce come twice. Method: a channel whose few segments are written over and
// over; every generation seen on the disk has a salt of its own.
TEST_F(FileChannelEncryptionTest, EveryGenerationHasASaltOfItsOwn) {
  std::map<std::uint64_t, std::string> salts;
  std::set<std::string> files;
  const auto look = [&] {
    for (const std::string& name : kit.files.list("/data").value()) {
      const std::string block = kit.files.text("/data/" + name).substr(0, file_channel::kBlock);
      const auto seal = file_channel::decode_seal_header(block);
      if (name.ends_with(".wal") && seal) {
        const auto header = file_channel::decode_segment_header(block).value();
        const std::string salt(seal->salt.begin(), seal->salt.end());
        const auto [known, is_new] = salts.emplace(header->generation, salt);
        EXPECT_EQ(known->second, salt);
        files.insert(name);
      }
    }
  };
  for (int life = 0; life < 3; ++life) {
    open(with_keys("k1"));
    for (int i = 0; i < 40; ++i) {
      ASSERT_TRUE(put(kit.slabs.numbered(20, std::string(900, 'x'))).ok());
      EXPECT_EQ(drain().size(), 20U);
      look();
    }
    channel->stop();
  }
  std::set<std::string> different;
  for (const auto& [generation, salt] : salts) {
    different.insert(salt);
  }
  EXPECT_EQ(different.size(), salts.size());
  EXPECT_GT(salts.size(), files.size()) << "no segment was written over";
}

// Goal: whatever is changed on the disk, what comes out was put in, and the channel opens or says
// why not. Method: each byte of segment header and records flipped in turn.
TEST_F(FileChannelEncryptionTest, NoFlippedByteBringsAWrongEvent) {
  open(with_keys("k1"));
  put_all({"alpha", "beta"});
  commit(*take(1));
  put_all({"gamma"});
  channel->stop();
  std::map<std::string, std::string> disk;
  for (const std::string& name : kit.files.list("/data").value()) {
    disk["/data/" + name] = kit.files.text("/data/" + name);
  }
  std::size_t hit = 0;
  const std::size_t size = disk[kFirstSegment].find_last_not_of('\0');
  for (std::size_t at = 0; at <= size; ++at) {
    if (at % file_channel::kBlock >= (at < file_channel::kBlock ? 400 : 200)) {
      continue;  // Padding.
    }
    for (const std::string& name : kit.files.list("/data").value()) {
      ASSERT_TRUE(disk.contains("/data/" + name) || kit.files.remove("/data/" + name).ok() ||
                  name == "quarantine");
    }
    for (const auto& [path, bytes] : disk) {
      kit.files.put(path, bytes);
    }
    std::string bytes = disk[kFirstSegment];
    bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
    kit.files.put(kFirstSegment, bytes);
    forget_checkpoint();
    const Result<> started = start(with_keys("k1"));
    if (!started.ok()) {
      ASSERT_LT(at, 400U) << started.error().message();
      ++hit;
      continue;
    }
    const Bodies bodies = drain();
    for (const std::string& body : bodies) {
      ASSERT_THAT((Bodies{"alpha", "beta", "gamma"}), Contains(body)) << "byte " << at;
    }
    hit += bodies != Bodies{"beta", "gamma"} ? 1 : 0;
    channel->stop();
  }
  EXPECT_GT(hit, 400U);
}

TEST_F(FileChannelEncryptionTest, APowerLossTakesNothingThatWasAnswered) {
  open(with_keys("k1"));
  for (int i = 0; i < 20; ++i) {
    put_all({"e" + std::to_string(i)});
  }
  kit.files.cut_power();
  channel->stop();
  kit.files.restore_power();
  open(with_keys("k1"));
  EXPECT_EQ(drain().size(), 20U);
}

}  // namespace
}  // namespace millrace
