// The tools on an encrypted channel: with its keys as on any other, without them not at all.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "channel/file/damage_removal.h"
#include "channel/file/encryption_fixture.h"

namespace millrace::file_channel {
namespace {

using testing::HasSubstr;

class EncryptionToolsTest : public FileChannelEncryptionTest {
 protected:
  static ChannelFolders folders(const std::string& active = "k1") {
    ChannelFolders folders{{"/check"}, {"/data"}};
    folders.encryption.active_key = active;
    folders.encryption.key_provider = "FILE";
    folders.encryption.keys = {"k1"};
    folders.encryption.of_keys = {{"k1.file", "/keys/k1"}};
    return folders;
  }
  void flip(const std::string& path, std::size_t at) {
    std::string bytes = kit.files.text(path);
    bytes[at] ^= 1;
    kit.files.put(path, bytes);
  }
};

TEST_F(EncryptionToolsTest, ReadItWithTheChannelsKeys) {
  open(with_keys("k1"));
  put_all({"one", "two"});
  commit(*take(1));
  channel->stop();
  const auto check = [&] {
    const auto view = view_channel(kit.files, folders()).value();
    return check_channel(kit.files, folders(), view, [](auto...) {}).value();
  };
  const auto without = view_channel(kit.files, {{"/check"}, {"/data"}});
  ASSERT_FALSE(without.ok());
  EXPECT_THAT(without.error().message(), HasSubstr("\"k1\""));
  EXPECT_TRUE(check().is_clean());
  EXPECT_EQ(check().tally.puts, 1U);
  flip(kFirstSegment, kFirstRecord + 100);
  EXPECT_FALSE(check().is_clean());
}

// Goal: damage is taken out of an encrypted channel too, and what is written for it is sealed where
// the channel's new segments are. Method: a record that is hit, of three; with the key as the
// active one, and only to read with.
class EncryptionRemovalTest : public EncryptionToolsTest,
                              public testing::WithParamInterface<const char*> {};

TEST_P(EncryptionRemovalTest, DamageIsTakenOutWithTheChannelsKeys) {
  open(with_keys("k1"));
  for (const char* body : {"one", "two", "three"}) {
    put_all({body});
  }
  channel->stop();
  flip(kFirstSegment, kFirstRecord + kBlock + sizeof(RecordHeader) + 20);  // In the second group.
  EXPECT_FALSE(remove_damage(kit.files, {{"/check"}, {"/data"}}, [](auto...) {}).ok());
  const ChannelFolders channel_folders = folders(GetParam());
  auto removal = remove_damage(kit.files, channel_folders, [](auto...) {});
  ASSERT_TRUE(removal.ok()) << removal.error().message();
  EXPECT_EQ(removal->given_up.all(), (std::vector<EventRange>{{1, 2}}));
  EXPECT_EQ(is_encrypted("/data/segment-000002.wal"), GetParam() == std::string("k1"));
  const auto view = view_channel(kit.files, channel_folders).value();
  EXPECT_TRUE(check_channel(kit.files, channel_folders, view, [](auto...) {})->is_clean());
  open(with_keys("k1"));
  EXPECT_EQ(drain(), (Bodies{"one", "three"}));
  EXPECT_EQ(channel->counts().dropped, 1U);
  expect_conserved();
}

INSTANTIATE_TEST_SUITE_P(ActiveKey, EncryptionRemovalTest, testing::Values("k1", "NONE"));

}  // namespace
}  // namespace millrace::file_channel
