#include "channel/file/config.h"

#include <gtest/gtest.h>

#include "core/registry.h"

namespace millrace {
namespace {

TEST(FileChannelConfigTest, RefusesEncryptionByNameAndIgnoresTheHarmless) {
  PropertySection section;
  section.set({.key = "encryption.activeKey", .value = "k1"});
  section.set({.key = "useDualCheckpoints", .value = "true"});
  Diagnostics diagnostics;
  EXPECT_FALSE(bind<FileChannelConfig>(section, diagnostics, common_channel_keys()));
  EXPECT_EQ(diagnostics.error_count(), 1U);
  EXPECT_EQ(diagnostics.warning_count(), 1U);
  EXPECT_NE(diagnostics.to_string().find("encryption"), std::string::npos);
}

TEST(FileChannelConfigTest, SaysWhatATransactionMayHold) {
  Diagnostics diagnostics;
  const auto prepared = ChannelRegistry::instance().find("file")->prepare(
      {{"transactionCapacity", "500"}}, diagnostics, common_channel_keys());
  ASSERT_TRUE(prepared);
  EXPECT_EQ(prepared->events_per_transaction, 500U);
}

}  // namespace
}  // namespace millrace
