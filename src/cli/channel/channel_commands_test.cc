// The commands that look into a channel, from the command line to what they print.
#include <unistd.h>

#include "cli/channel/channel_fixture.h"

namespace millrace {
namespace {

TEST_F(ChannelCommandTest, ShowTellsWhatIsInIt) {
  fill();
  for (const bool by_folders : {false, true}) {
    ASSERT_EQ(run({"channel", "show"}, by_folders), kDone) << err;
    EXPECT_TRUE(prints(": stopped\n")) << out;
    EXPECT_TRUE(prints("put 10 = acknowledged 4 + dropped 0 + in channel 6\n")) << out;
    EXPECT_TRUE(prints("numbers in it: 4..9\n")) << out;
    EXPECT_TRUE(
        prints("first of them put 2023-11-14T22:13:24.000Z, last put "
               "2023-11-14T22:13:29.000Z\n"))
        << out;
    EXPECT_TRUE(prints("segment-000001.wal")) << out;
  }
}

TEST_F(ChannelCommandTest, ShowGivesJson) {
  fill();
  ASSERT_EQ(run({"channel", "show", "--json"}), kDone) << err;
  for (const char* part :
       {R"([{"channel": "c1", "id": ")", R"("live": false, "pid": null)",
        R"("put": 10, "acknowledged": 4, "dropped": 0, "in_channel": 6, "next": 10)",
        R"("numbers": [[4, 9]])", R"("oldest_put": "2023-11-14T22:13:24.000Z")",
        R"("state": "needed")"}) {
    EXPECT_TRUE(prints(part)) << part << "\n" << out;
  }
}

TEST_F(ChannelCommandTest, LsListsALineAChannel) {
  fill();
  ASSERT_EQ(run({"channel", "ls"}), kDone) << err;
  EXPECT_TRUE(out.starts_with("CHANNEL  EVENTS  ")) << out;
  EXPECT_TRUE(prints("\nc1            6  ")) << out;
  EXPECT_TRUE(prints("2023-11-14T22:13:24.000Z  2023-11-14T22:13:29.000Z  stopped\n")) << out;
}

TEST_F(ChannelCommandTest, ALiveChannelIsSaidToBe) {
  ASSERT_TRUE(channel->start().ok());
  put({{"one", {}}});
  const std::string live = "live: held by pid " + std::to_string(::getpid());
  for (const char* command : {"ls", "show", "verify"}) {
    ASSERT_EQ(run({"channel", command}), kDone) << err;
    EXPECT_TRUE(prints(live)) << out;
  }
  channel->stop();
}

TEST_F(ChannelCommandTest, VerifyNamesDamageAndFailsForIt) {
  fill();
  EXPECT_EQ(run({"channel", "verify"}), kDone) << out;
  EXPECT_TRUE(prints("channel c1: stopped: clean\n")) << out;
  EXPECT_TRUE(prints("in the channel 6 events: 0 damaged, 0 missing\n")) << out;
  const std::filesystem::path segment = temp / "data" / "segment-000001.wal";
  const std::string bytes = read_file(real_file_system(), segment).value();
  std::fstream(segment, std::ios::in | std::ios::out | std::ios::binary)
      .seekp(static_cast<std::streamoff>(bytes.find("event 7")))
      .put('E');
  EXPECT_EQ(run({"channel", "verify"}), kFailedAtWork);
  EXPECT_TRUE(prints("channel c1: stopped: damaged\n")) << out;
  EXPECT_TRUE(prints(": damaged events: 1 event, 7\n")) << out;
  EXPECT_EQ(run({"channel", "verify", "--json"}), kFailedAtWork);
  EXPECT_TRUE(prints(R"("clean": false)") && prints(R"("damaged": [[7, 7]])")) << out;
}

// Goal: with the first of two checkpoints damaged every command uses the backup, and says so.
TEST_F(ChannelCommandTest, TheBackupCheckpointStandsInForADamagedOne) {
  fill();
  const std::string check = (temp / "check").string();
  const std::string backup = (temp / "backup").string();
  std::filesystem::create_directories(backup);
  std::filesystem::copy(check + "/channel.checkpoint", backup);
  std::ofstream(check + "/channel.checkpoint") << "x";
  std::ofstream(temp / "a1.conf", std::ios::app)
      << "a1.channels.c1.useDualCheckpoints = true\na1.channels.c1.backupCheckpointDir = " << backup
      << "\n";
  const std::string trouble = "  checkpoint in " + check + ": it is damaged: ";
  const std::string used = "; the one in " + backup + " is used\n";
  const std::vector<Arguments> commands{
      {"channel", "show"},
      {"channel", "ls"},
      {"channel", "verify"},
      {"channel", "export", "--out", (temp / "out.json").string()},
      {"channel", "replay", "--from", "0", "--into", (temp / "out.avro").string()}};
  for (const bool by_folders : {false, true}) {
    for (Arguments command : commands) {
      SCOPED_TRACE(command[1]);
      if (by_folders) {
        command.insert(command.end(), {"--backup-checkpoint-dir", backup});
      }
      EXPECT_EQ(run(command, by_folders), command[1] == "verify" ? kFailedAtWork : kDone) << err;
      const std::string said = out + err;
      ASSERT_NE(said.find(trouble), std::string::npos) << said;
      EXPECT_NE(said.find(used, said.find(trouble)), std::string::npos) << said;
    }
  }
  ASSERT_EQ(run({"channel", "show"}), kDone);
  EXPECT_TRUE(prints("  checkpoint in " + backup + ": 0.")) << out;
  ASSERT_EQ(run({"channel", "show", "--json"}), kDone);
  EXPECT_TRUE(prints(R"("checkpoint": {"dir": ")" + backup + R"(", "used": true)")) << out;
  EXPECT_TRUE(prints(R"("other_checkpoints": [{"dir": ")" + check + R"(", "used": false)")) << out;
}

TEST_F(ChannelCommandTest, ReadsTheFirstFormat) {
  const std::string golden = MILLRACE_SOURCE_DIR "/tests/golden/file-channel/1";
  const auto run_on_it = [&](const char* command) {
    return run_bare({"channel", command, "--checkpoint-dir", golden + "/checkpoint", "--data-dirs",
                     golden + "/data-a," + golden + "/data-b"});
  };
  EXPECT_EQ(run_on_it("verify"), kDone) << err;
  EXPECT_TRUE(prints("3 puts with 6 whole events, 2 acknowledgements\n")) << out;
  EXPECT_EQ(run_on_it("show"), kDone) << err;
  EXPECT_TRUE(prints("put 6 = acknowledged 1 + dropped 1 + in channel 4\n")) << out;
  EXPECT_TRUE(prints("first of them put unknown, last put unknown\n")) << out;
  EXPECT_EQ(run_on_it("export"), kDone) << err;
  EXPECT_TRUE(prints(R"({"number":4,"time":null,"headers":{},"body":"AP8K","body_encoding":)"))
      << out;
}

TEST_F(ChannelCommandTest, WhatIsWrongIsSaidInWords) {
  EXPECT_EQ(run_bare({"channel", "show"}), kBadUsage);
  EXPECT_TRUE(err.starts_with("millrace channel show: which channel? Name the agent's file, "))
      << err;
  EXPECT_EQ(run({"channel", "show", "c9"}), kBadConfiguration);
  EXPECT_EQ(err, "millrace channel show: there is no file channel c9; the agent has c1\n");
  EXPECT_EQ(run({"channel", "show", "c1"}), kFailedAtWork);
  EXPECT_NE(err.find(data_dirs), std::string::npos) << err;
  std::filesystem::create_directories(data_dirs);
  EXPECT_EQ(run({"channel", "verify"}), kFailedAtWork);
  EXPECT_NE(err.find("there is no file channel in " + data_dirs), std::string::npos) << err;
  EXPECT_EQ(run_bare({"channel", "shwo"}), kBadUsage);
  EXPECT_NE(err.find("did you mean \"show\"?"), std::string::npos) << err;
  EXPECT_EQ(run_bare({"channel", "ls", "--config", "/nonexistent"}), kBadConfiguration);
}

}  // namespace
}  // namespace millrace
