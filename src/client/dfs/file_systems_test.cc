// Goal: a URL leads to the right file system, once, or to words about why it does not. Method: URLs
// and configurations; no server is asked.
#include "client/dfs/file_systems.h"

#include <gtest/gtest.h>

#include "io/fake_file_system.h"

namespace millrace::dfs {
namespace {

class FileSystemsTest : public ::testing::Test {
 protected:
  void configure(const std::string& properties) {
    disk_.put("/conf/core-site.xml", "<configuration>" + properties + "</configuration>");
  }
  Result<Place> find(const std::string& url) { return systems_.find(url); }
  std::string uri(const std::string& url) { return find(url).value().files->uri(); }
  std::string refusal(const std::string& url) {
    const auto found = find(url);
    EXPECT_FALSE(found.ok()) << url;
    EXPECT_EQ(found.error().fault(), Fault::kConfig) << url;
    return found.error().message();
  }

  FakeFileSystem disk_;
  FileSystems systems_{disk_, {.hadoop_conf = "/conf", .user = "alice"}};
};

constexpr char kDefault[] =
    "<property><name>fs.defaultFS</name><value>hdfs://nn:9000</value></property>";

TEST_F(FileSystemsTest, SharesAFileSystemByAuthority) {
  configure("");
  EXPECT_EQ(find("hdfs://a:1/x").value().files, find("hdfs://a:1/y//z/").value().files);
  EXPECT_NE(find("hdfs://a:1/x").value().files, find("hdfs://a:2/x").value().files);
  EXPECT_EQ(find("hdfs://a:1/y//z/").value().path, "/y/z");
  EXPECT_EQ(uri("hdfs://a/x"), "hdfs://a:8020");
  EXPECT_EQ(uri("hdfs://[::1]:9/x"), "hdfs://[::1]:9");
}

TEST_F(FileSystemsTest, AUrlWithoutAHostIsOfTheDefaultFileSystem) {
  configure(kDefault);
  EXPECT_EQ(uri("/a"), "hdfs://nn:9000");
  EXPECT_EQ(uri("hdfs:///a"), "hdfs://nn:9000");
  EXPECT_EQ(uri("file:///a"), "file://");
}

TEST_F(FileSystemsTest, WithoutOneThatIsThisMachine) {
  configure("");
  EXPECT_EQ(uri("/a"), "file://");
  EXPECT_NE(refusal("hdfs:///a").find("fs.defaultFS"), std::string::npos);
}

TEST_F(FileSystemsTest, FilesOfThisMachineNeedNoConfiguration) {
  EXPECT_EQ(uri("file:/a"), "file://");
  EXPECT_NE(refusal("/a").find("/conf"), std::string::npos);
}

TEST_F(FileSystemsTest, SaysWhatIsNotSupported) {
  configure("<property><name>dfs.ha.namenodes.prod</name><value>nn1,nn2</value></property>");
  EXPECT_NE(refusal("hdfs://prod/a").find("fail-over"), std::string::npos);
  EXPECT_EQ(uri("hdfs://pro/a"), "hdfs://pro:8020");
  EXPECT_NE(refusal("viewfs://prod/a").find("viewfs"), std::string::npos);
  EXPECT_NE(refusal("file://other/a").find("another machine"), std::string::npos);
  EXPECT_NE(refusal("hdfs://a/../b").find(".."), std::string::npos);
  EXPECT_NE(refusal("a/b").find("slash"), std::string::npos);
  EXPECT_NE(refusal("hdfs://a:x/b").find("port"), std::string::npos);
  EXPECT_NE(refusal("hdfs://a:70000/b").find("port"), std::string::npos);
}

TEST_F(FileSystemsTest, SaysThatASecureClusterIsNotSupported) {
  configure(
      "<property><name>hadoop.security.authentication</name><value>kerberos</value></property>");
  EXPECT_NE(refusal("hdfs://a/b").find("hadoop.security.authentication"), std::string::npos);
}

TEST_F(FileSystemsTest, ClosesAll) {
  const auto files = find("file:///").value().files;
  systems_.close();
  EXPECT_EQ(files->status("/").error().fault(), Fault::kClosed);
}

}  // namespace
}  // namespace millrace::dfs
