#include "channel/file/config.h"

#include <gtest/gtest.h>

#include "core/registry.h"

namespace millrace {
namespace {

TEST(FileChannelConfigTest, IgnoresTheHarmless) {
  PropertySection section;
  section.set({.key = "use-fast-replay", .value = "true"});
  Diagnostics diagnostics;
  EXPECT_TRUE(bind<FileChannelConfig>(section, diagnostics, common_channel_keys()));
  EXPECT_EQ(diagnostics.warning_count(), 1U);
}

TEST(FileChannelConfigTest, ASecondCheckpointNeedsAFolderOfItsOwn) {
  for (const char* const folder : {"", "/c", "/c/../c", "/d"}) {
    Diagnostics diagnostics;
    EXPECT_FALSE(bind<FileChannelConfig>({{"useDualCheckpoints", "true"},
                                          {"checkpointDir", "/c"},
                                          {"dataDirs", "/d"},
                                          {"backupCheckpointDir", folder}},
                                         diagnostics, common_channel_keys()))
        << folder;
    EXPECT_NE(diagnostics.to_string().find("backupCheckpointDir"), std::string::npos);
  }
  Diagnostics diagnostics;
  const auto config = bind<FileChannelConfig>(
      {{"useDualCheckpoints", "true"}, {"checkpointDir", "/c"}, {"backupCheckpointDir", "/b"}},
      diagnostics, common_channel_keys());
  ASSERT_TRUE(config);
  EXPECT_EQ(config->backup_checkpoint_path(), "/b");
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
