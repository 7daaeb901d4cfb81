#include "channel/file/encryption_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "channel/file/config.h"

namespace millrace {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using Keys = std::map<std::string, std::string>;

const Keys kGood{{"activeKey", "k1"},
                 {"keyProvider", "FILE"},
                 {"keyProvider.keys", "k0 k1"},
                 {"keyProvider.keys.k0.file", "/keys/k0"},
                 {"keyProvider.keys.k1.file", "/keys/k1"}};

// What is said of the keys below "encryption."; an empty value takes one of kGood away.
std::string said_of(const Keys& changes) {
  Keys keys = kGood;
  for (const auto& [key, value] : changes) {
    keys[key] = value;
  }
  PropertySection section;
  std::size_t line = 1;
  for (const auto& [key, value] : keys) {
    if (!value.empty()) {
      section.set({"encryption." + key, value, "a.conf", line++, "c.encryption." + key});
    }
  }
  Diagnostics diagnostics;
  const auto config = bind<FileChannelConfig>(section, diagnostics, common_channel_keys());
  EXPECT_EQ(config.has_value(), !diagnostics.has_errors());
  return diagnostics.to_string();
}

TEST(EncryptionConfigTest, TakesFlumesNamesAndBothProviders) {
  EXPECT_THAT(said_of({}), IsEmpty());
  EXPECT_THAT(said_of({{"cipherProvider", "aesctrnopadding"}}), IsEmpty());
  EXPECT_THAT(said_of({{"activeKey", "NONE"}}), IsEmpty());
  EXPECT_THAT(said_of({{"keyProvider", "EXTERNAL"},
                       {"keyProvider.command", "get-key"},
                       {"keyProvider.keys.k0.file", ""},
                       {"keyProvider.keys.k1.file", ""}}),
              IsEmpty());
}

TEST(EncryptionConfigTest, NamesWhatIsMissingOrWrongWithItsLine) {
  EXPECT_THAT(said_of({{"activeKey", ""}}), HasSubstr("encryption.activeKey: is missing"));
  EXPECT_THAT(said_of({{"activeKey", "k2"}}), HasSubstr("a.conf:1: error: c.encryption.activeKey"));
  EXPECT_THAT(said_of({{"keyProvider", ""}}), HasSubstr("encryption.keyProvider: is missing"));
  EXPECT_THAT(said_of({{"keyProvider.keys.k0.file", ""}}), HasSubstr("keys.k0.file: is missing"));
  EXPECT_THAT(said_of({{"keyProvider", "EXTERNAL"}}), HasSubstr("command: is missing"));
  EXPECT_THAT(said_of({{"cipherProvider", "ROT13"}}), HasSubstr("AESGCM"));
  EXPECT_THAT(said_of({{"keyProvider.keys", std::string(300, 'k')}}), HasSubstr("255 bytes"));
  EXPECT_THAT(said_of({{"keyProvider.keys.k7.file", "/x"}}), HasSubstr("warning"));
}

TEST(EncryptionConfigTest, AMisspeltKeyLeavesNothingInClearText) {
  PropertySection section;
  section.set({.key = "encryption.activekey", .value = "k1"});
  Diagnostics diagnostics;
  EXPECT_FALSE(bind<FileChannelConfig>(section, diagnostics, common_channel_keys()));
  EXPECT_THAT(diagnostics.to_string(), HasSubstr("did you mean \"encryption.activeKey\"?"));
}

TEST(EncryptionConfigTest, RefusesAJavaKeystoreWithAWayOut) {
  const std::string said = said_of({{"keyProvider", "JCEKSFILE"},
                                    {"keyProvider.keyStoreFile", "/etc/flume/store"},
                                    {"keyProvider.keyStorePasswordFile", "/etc/flume/password"},
                                    {"keyProvider.keys.k0.file", ""},
                                    {"keyProvider.keys.k1.file", ""},
                                    {"keyProvider.keys.k1.passwordFile", "/etc/flume/k1"}});
  EXPECT_THAT(said, HasSubstr("docs/user/encryption.md"));
  EXPECT_THAT(said, HasSubstr("encryption.keyProvider.keys.k0.file"));
}

}  // namespace
}  // namespace millrace
