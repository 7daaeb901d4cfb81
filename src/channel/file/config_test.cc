#include "channel/file/config.h"

#include <gtest/gtest.h>

#include "core/registry.h"

namespace millrace {
namespace {

TEST(FileChannelConfigTest, IgnoresTheHarmless) {
  PropertySection section;
  section.set({.key = "useDualCheckpoints", .value = "true"});
  Diagnostics diagnostics;
  EXPECT_TRUE(bind<FileChannelConfig>(section, diagnostics, common_channel_keys()));
  EXPECT_EQ(diagnostics.warning_count(), 1U);
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
