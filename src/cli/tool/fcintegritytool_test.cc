// The integrity tool, from the command line to what it prints.
#include "cli/channel/channel_fixture.h"

namespace millrace {
namespace {

class FcIntegrityToolTest : public ChannelCommandTest {
 protected:
  void damage(const std::string& body) {
    const std::filesystem::path segment = temp / "data" / "segment-000001.wal";
    const std::string bytes = read_file(real_file_system(), segment).value();
    ASSERT_NE(bytes.find(body), std::string::npos);
    std::fstream(segment, std::ios::in | std::ios::out | std::ios::binary)
        .seekp(static_cast<std::streamoff>(bytes.find(body)))
        .put('E');
  }
  const Arguments tool{"tool", "fcintegritytool"};
};

TEST_F(FcIntegrityToolTest, TakesDamageOutByFoldersAndByConfiguration) {
  fill();
  damage("event 7");
  ASSERT_EQ(run_bare({"tool", "fcintegritytool", "-l", data_dirs}), kDone) << err;
  EXPECT_TRUE(prints("Number of Events in the Channel = 6\n")) << out;
  EXPECT_TRUE(prints("Number of Corrupt Events = 1\n")) << out;
  damage("event 8");
  ASSERT_EQ(run(tool), kDone) << err;
  EXPECT_TRUE(out.starts_with("channel c1: stopped: damaged\n")) << out;
  EXPECT_TRUE(prints("Number of Events in the Channel = 5\n")) << out;
  EXPECT_TRUE(prints("Number of Corrupt Events = 1\n")) << out;
  ASSERT_EQ(run({"channel", "show"}), kDone) << err;
  EXPECT_TRUE(prints("put 10 = acknowledged 4 + dropped 2 + in channel 4\n")) << out;
  EXPECT_EQ(run({"channel", "verify"}), kDone) << out;
}

TEST_F(FcIntegrityToolTest, WantsOneChannelNamedInOneWay) {
  EXPECT_EQ(run_bare(tool), kBadUsage);
  EXPECT_NE(err.find("dataDirs is required: -l DIR,DIR, or --config"), std::string::npos) << err;
  EXPECT_EQ(run({"tool", "fcintegritytool", "-l", data_dirs}), kBadUsage);
  EXPECT_NE(err.find("either --config or the folders"), std::string::npos) << err;
  EXPECT_EQ(run_bare({"tool", "fcintegritytool", "-l", data_dirs, "c1"}), kBadUsage);
  EXPECT_EQ(run({"tool", "fcintegritytool", "c9"}), kBadConfiguration);
  EXPECT_EQ(run_bare({"tool", "fcintegritytool", "-e", "a.Validator"}), kBadUsage);
}

}  // namespace
}  // namespace millrace
