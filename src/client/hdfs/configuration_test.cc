// Goal: Hadoop's files mean here what they mean to Hadoop, and what we cannot do is said. Method:
// files on a fake disk.
#include "client/hdfs/configuration.h"

#include <gtest/gtest.h>

#include "client/hdfs/options.h"
#include "io/fake_file_system.h"

namespace millrace::hdfs {
namespace {

using namespace std::chrono_literals;

std::string file(const std::string& properties) {
  return "<?xml version=\"1.0\"?>\n<!DOCTYPE configuration [<!ENTITY x "
         "\"y\">]>\n<configuration>\n" +
         properties + "</configuration>\n";
}

std::string property(const std::string& name, const std::string& value,
                     const std::string& more = "") {
  return "<property><name>" + name + "</name><value>" + value + "</value>" + more + "</property>\n";
}

class ConfigurationTest : public ::testing::Test {
 protected:
  Result<Configuration> load() {
    Configuration configuration([](const std::string& name) {
      return name == "HOST" ? std::optional<std::string>("nn1") : std::nullopt;
    });
    TRY(configuration.load(files_, "/conf"));
    return configuration;
  }
  Result<Options> options() { return read_options(TRY(load())); }
  std::string get(const std::string& name) {
    return load().value().get(name).value().value_or("(none)");
  }

  FakeFileSystem files_;
};

TEST_F(ConfigurationTest, ReadsBothFilesTheLaterOneWins) {
  files_.put("/conf/core-site.xml", file(property("a", "1") + property("b", " 2\n ")));
  files_.put("/conf/hdfs-site.xml", file(property("a", "3") + "<property name='c' value='4'/>"));
  EXPECT_EQ(get("a"), "3");
  EXPECT_EQ(get("b"), "2");
  EXPECT_EQ(get("c"), "4");
  EXPECT_EQ(get("d"), "(none)");
}

TEST_F(ConfigurationTest, KeepsWhatIsFinal) {
  files_.put("/conf/core-site.xml", file(property("a", "1", "<final>true</final>")));
  files_.put("/conf/hdfs-site.xml", file(property("a", "2")));
  EXPECT_EQ(get("a"), "1");
}

TEST_F(ConfigurationTest, ReplacesVariables) {
  files_.put("/conf/core-site.xml",
             file(property("fs", "hdfs://${host}:${port}") + property("host", "${env.HOST}") +
                  property("port", "${env.PORT:-8020}") + property("odd", "${nobody} ${") +
                  property("dash", "${env.PORT-9}")));
  EXPECT_EQ(get("fs"), "hdfs://nn1:8020");
  EXPECT_EQ(get("odd"), "${nobody} ${");
  EXPECT_EQ(get("dash"), "9");
}

TEST_F(ConfigurationTest, RefusesCircles) {
  files_.put("/conf/core-site.xml", file(property("a", "x${b}") + property("b", "${a}")));
  const auto value = load().value().get("a");
  ASSERT_FALSE(value.ok());
  EXPECT_EQ(value.error().fault(), Fault::kConfig);
}

TEST_F(ConfigurationTest, ReadsTextAroundACommentAndCdata) {
  files_.put("/conf/core-site.xml", file(property("a", "1<!-- and -->2<![CDATA[<3>]]>&amp;")));
  EXPECT_EQ(get("a"), "12<3>&");
}

TEST_F(ConfigurationTest, SaysWhereAFileIsWrong) {
  files_.put("/conf/core-site.xml", "<configuration>\n<property>\n</configuration>");
  const auto broken = load();
  ASSERT_FALSE(broken.ok());
  EXPECT_EQ(broken.error().fault(), Fault::kConfig);
  EXPECT_NE(broken.error().message().find("/conf/core-site.xml:3"), std::string::npos)
      << broken.error().message();
}

TEST_F(ConfigurationTest, RefusesIncludes) {
  files_.put("/conf/core-site.xml",
             "<configuration xmlns:xi='http://www.w3.org/2001/XInclude'>\n<xi:include href='x'/>"
             "</configuration>");
  const auto included = load();
  ASSERT_FALSE(included.ok());
  EXPECT_NE(included.error().message().find(":2: includes"), std::string::npos)
      << included.error().message();
}

TEST_F(ConfigurationTest, RefusesAFolderThatIsNotThere) {
  EXPECT_EQ(load().error().fault(), Fault::kConfig);
}

TEST_F(ConfigurationTest, BecomesOptions) {
  files_.put("/conf/core-site.xml", file(property("fs.default.name", "hdfs://nn:8020") +
                                         property("ipc.client.connect.timeout", "3000") +
                                         property("ipc.client.ping", "False")));
  files_.put("/conf/hdfs-site.xml",
             file(property("dfs.blocksize", "64m") + property("dfs.replication", "2") +
                  property("dfs.checksum.type", "crc32") +
                  property("dfs.client.datanode-restart.timeout", "5s") +
                  property("dfs.client.block.write.replace-datanode-on-failure.policy", "never")));
  const Options read = options().value();
  EXPECT_EQ(read.default_file_system, "hdfs://nn:8020");
  EXPECT_EQ(read.block_size, 64U << 20);
  EXPECT_EQ(read.replication, 2U);
  EXPECT_EQ(read.rpc.connect_timeout, 3s);
  EXPECT_EQ(read.rpc.ping_interval, 0s);
  EXPECT_EQ(read.streams.checksums.type, ChecksumType::kCrc32);
  EXPECT_EQ(read.streams.restart_timeout, 5s);
  EXPECT_EQ(read.streams.replacement.when, ReplacementPolicy::When::kNever);
}

TEST_F(ConfigurationTest, NamesTheKeyOfABadValue) {
  for (const auto& [key, value] :
       {std::pair("dfs.replication", "many"), std::pair("dfs.blocksize", "99999999999999999999"),
        std::pair("dfs.client.socket-timeout", "5 parsecs"), std::pair("dfs.checksum.type", "MD5"),
        std::pair("dfs.blocksize", "1000"), std::pair("dfs.bytes-per-checksum", "0"),
        std::pair("hadoop.security.authentication", "kerberos")}) {
    files_.put("/conf/core-site.xml", file(property(key, value)));
    const auto read = options();
    ASSERT_FALSE(read.ok()) << key;
    EXPECT_EQ(read.error().fault(), Fault::kConfig);
    EXPECT_NE(read.error().message().find(key), std::string::npos) << read.error().message();
  }
}

TEST_F(ConfigurationTest, TheUsersPageNamesEveryKey) {
  const std::string page =
      read_file(real_file_system(), MILLRACE_SOURCE_DIR "/docs/user/hdfs-client.md").value();
  for (const OptionKey& key : option_keys()) {
    const std::string row = "| `" + std::string(key.name) + "` | " + std::string(key.help) + " |\n";
    EXPECT_NE(page.find(row), std::string::npos) << row;
  }
}

}  // namespace
}  // namespace millrace::hdfs
