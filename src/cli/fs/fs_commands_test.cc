// Goal: `millrace fs` says what it did, and what it did not. Method: on files of this machine; a
// cluster is for tests/server/hdfs_calls.py.
#include <gtest/gtest.h>

#include <fstream>

#include "cli/cli.h"
#include "cli/fs/status_text.h"
#include "io/file_system.h"
#include "io/temp_folder.h"

namespace millrace {
namespace {

class FsCommandsTest : public testing::Test {
 protected:
  int run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "fs");
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int status = run_program(arguments);
    out = testing::internal::GetCapturedStdout();
    err = testing::internal::GetCapturedStderr();
    return status;
  }
  std::string url(const std::string& name) const { return "file://" + (temp / name).string(); }
  static std::string golden(const std::string& name) {
    return "file://" +
           (std::filesystem::path(MILLRACE_SOURCE_DIR) / "tests/golden" / name).string();
  }
  void write(const std::string& name, const std::string& text) {
    std::ofstream(temp / name) << text;
  }

  const TempFolder temp;
  std::string out;
  std::string err;
};

TEST_F(FsCommandsTest, PutsCutsAndPrints) {
  write("local", "one\ntwo\n");
  ASSERT_EQ(run({"put", temp / "local", url("d/a")}), kDone) << err;
  EXPECT_EQ(out, "8 bytes to " + url("d/a") + "\n");
  ASSERT_EQ(run({"truncate", "--length", "4", url("d/a")}), kDone) << err;
  ASSERT_EQ(run({"cat", url("d/a"), url("local")}), kDone) << err;
  EXPECT_EQ(out, "one\none\ntwo\n");
  ASSERT_EQ(run({"ls", url("d")}), kDone) << err;
  EXPECT_NE(out.find((temp / "d/a").string() + "\n"), std::string::npos) << out;
  ASSERT_EQ(run({"stat", url("d/a"), url("d")}), kDone) << err;
  EXPECT_NE(out.find("closed\ndrwx"), std::string::npos) << out;
  ASSERT_EQ(run({"recover-lease", url("d/a")}), kDone) << err;
  EXPECT_EQ(out, url("d/a") + " is closed, with 4 bytes\n");
}

TEST_F(FsCommandsTest, NeverOverwritesAndLeavesTheOldFileWhole) {
  write("local", "new");
  write("old", "old");
  EXPECT_EQ(run({"put", temp / "local", url("old")}), kFailedAtWork);
  EXPECT_NE(err.find("File exists"), std::string::npos) << err;
  EXPECT_EQ(read_file(real_file_system(), temp / "old").value(), "old");
}

TEST_F(FsCommandsTest, RefusesWhatItIsNotTold) {
  write("a", "text");
  EXPECT_EQ(run({"truncate", url("a")}), kBadUsage);
  EXPECT_EQ(run({"truncate", "--length", "-1", url("a")}), kBadUsage);
  EXPECT_EQ(run({"put", temp / "a"}), kBadUsage);
  EXPECT_EQ(run({"cat", url("none")}), kFailedAtWork);
  EXPECT_EQ(run({"ls", "s3a://bucket/a"}), kBadConfiguration);
  EXPECT_NE(err.find("only hdfs:// and file://"), std::string::npos) << err;
  EXPECT_EQ(run({"ls", "--conf", temp / "no", "hdfs://a/b"}), kBadConfiguration);
  EXPECT_EQ(read_file(real_file_system(), temp / "a").value(), "text");
}

// Files of Hadoop's own writers: 20 records.
TEST_F(FsCommandsTest, PrintsWhatIsInFiles) {
  ASSERT_EQ(run({"text", golden("hadoop-formats/hadoop/Gzip.gz")}), kDone) << err;
  const std::string bodies = out;
  for (const std::string stream : {"BZip2.bz2", "Snappy.snappy", "Lz4.lz4", "Default.deflate"}) {
    ASSERT_EQ(run({"text", golden("hadoop-formats/hadoop/" + stream)}), kDone) << err;
    EXPECT_EQ(out, bodies) << stream;
  }
  ASSERT_EQ(run({"text", golden("hadoop-formats/hadoop/block-Snappy-Text.seq")}), kDone) << err;
  EXPECT_EQ(out.substr(0, 14), "1700000000000\t");
  const std::string keyless = out.substr(14, bodies.find('\n'));
  EXPECT_EQ(keyless, bodies.substr(0, bodies.find('\n')));
  ASSERT_EQ(run({"text", golden("avro/java-snappy.avro")}), kDone) << err;
  EXPECT_EQ(out.substr(0, out.find('\n')), R"({"headers":{},"body":"event 0 "})");
  EXPECT_NE(out.find(R"({"headers":{"host":"web-1","n":"1"},"body":"event 1 xxxxxxx"})"),
            std::string::npos);
}

TEST_F(FsCommandsTest, PrintsWhatIsWholeOfATornFile) {
  write("torn.seq", std::string("SEQ\x06"));
  EXPECT_EQ(run({"text", url("torn.seq")}), kFailedAtWork);
  EXPECT_NE(err.find("at byte 0: in the header"), std::string::npos) << err;
  write("plain", "as it is");
  ASSERT_EQ(run({"text", url("plain")}), kDone) << err;
  EXPECT_EQ(out, "as it is");
}

TEST(FsStatusTextTest, IsHadoops) {
  dfs::FileStatus status;
  status.permissions = 0754;
  EXPECT_EQ(permission_text(status), "-rwxr-xr--");
  status.is_directory = true;
  status.permissions = 01777;
  EXPECT_EQ(permission_text(status), "drwxrwxrwt");
  status.permissions = 01000;
  EXPECT_EQ(permission_text(status), "d--------T");
}

}  // namespace
}  // namespace millrace
