// Giving up a data dir by the command line.
#include <unistd.h>

#include "cli/channel/channel_fixture.h"

namespace millrace {
namespace {

class ChannelForgetTest : public ChannelCommandTest {
 protected:
  ChannelForgetTest() : ChannelCommandTest(true) {}

  // The disk of the first dir, which holds all that fill() puts, and an empty one in its place.
  void lose_first_dir() {
    std::filesystem::remove_all(first);
    std::filesystem::create_directories(first);
  }

  const std::string first = (temp / "data").string();
};

TEST_F(ChannelForgetTest, TellsWhatIsLostAndGivesItUpWithYesAlone) {
  fill();
  EXPECT_EQ(run({"channel", "forget", first}), kBadConfiguration);
  EXPECT_NE(err.find(first + " is not lost"), std::string::npos) << err;
  lose_first_dir();
  for (const bool by_folders : {false, true}) {
    EXPECT_EQ(run({"channel", "show"}, by_folders), kFailedAtWork);
    EXPECT_NE(err.find("`millrace channel forget " + first + "`"), std::string::npos) << err;
    ASSERT_EQ(run({"channel", "forget", first}, by_folders), kDone) << err;
    for (const std::string& part : std::vector<std::string>{
             "  lost: 6 events that the checkpoint of 20", "  left: 0 events; some",
             first + " is named in dataDirs and empty: the next start takes it as a new dir\n",
             "nothing is changed yet: --yes gives it up\n"}) {
      EXPECT_TRUE(prints(part)) << part << "\n" << out;
    }
  }
  ASSERT_EQ(run({"channel", "forget", first, "-c", "c1", "--yes"}), kDone) << err;
  EXPECT_TRUE(prints("given up: the agent can start\n")) << out;
  ASSERT_TRUE(channel->start().ok());
  EXPECT_FALSE(channel->take({1, 1000}, {}, {}));
  EXPECT_EQ(channel->counts().dropped, 6U);
  channel->stop();
}

TEST_F(ChannelForgetTest, NeedsNoCheckpoint) {
  fill();
  lose_first_dir();
  std::filesystem::remove(temp / "check" / "channel.checkpoint");
  ASSERT_EQ(run({"channel", "forget", first}), kDone) << err;
  EXPECT_TRUE(prints("there is no checkpoint: nobody knows how many events are lost\n")) << out;
}

TEST_F(ChannelForgetTest, WhatIsWrongIsSaidInWords) {
  EXPECT_EQ(run({"channel", "forget"}), kBadUsage);
  EXPECT_EQ(run_bare({"channel", "forget", first, "--data-dirs", data_dirs}), kBadUsage);
  EXPECT_NE(err.find("--checkpoint-dir"), std::string::npos) << err;
  ASSERT_TRUE(channel->start().ok());
  EXPECT_EQ(run({"channel", "forget", "/nowhere"}), kBadConfiguration);
  EXPECT_NE(err.find("that was at /nowhere; it has " + first + ", "), std::string::npos) << err;
  lose_first_dir();
  EXPECT_EQ(run({"channel", "forget", first, "--yes"}), kFailedAtWork);
  EXPECT_NE(err.find("is locked by process " + std::to_string(::getpid())), std::string::npos)
      << err;
  channel->stop();
}

}  // namespace
}  // namespace millrace
