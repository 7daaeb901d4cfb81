#include "config/configuration_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/agent_config.h"
#include "config/properties.h"
#include "io/fake_file_system.h"

namespace millrace {
namespace {

using ::testing::HasSubstr;

class ConfigurationFilesTest : public ::testing::Test {
 protected:
  void write(const std::filesystem::path& path, std::string_view text) {
    ASSERT_TRUE(files.create_directories(path.parent_path()).ok());
    Result<std::unique_ptr<File>> file = files.open(path, OpenMode::kTruncate);
    ASSERT_TRUE(file.ok());
    ASSERT_TRUE(file.value()->write_at(text, 0).ok());
  }
  std::optional<Interpolated> load(const std::vector<std::filesystem::path>& paths) {
    return load_configuration(files, paths, context, diagnostics);
  }

  FakeFileSystem files;
  LookupContext context;
  Diagnostics diagnostics;
};

TEST_F(ConfigurationFilesTest, LaterFilesOverrideAndReferToEarlierOnes) {
  context.environment = {{"DIR", "/data"}};
  write("/c/1.conf", "base = ${env:DIR}/in\na1.sinks.k1.sink.directory = ${base}\n");
  write("/c/2.properties", "a1.sinks.k1.type = null\nbase = ${env:DIR}/out\n");
  const std::optional<Interpolated> loaded = load({"/c/1.conf", "/c/2.properties"});
  ASSERT_TRUE(loaded.has_value());
  const Property* const directory = loaded->properties.find("a1.sinks.k1.sink.directory");
  ASSERT_NE(directory, nullptr);
  EXPECT_EQ(directory->value, "/data/out");
  EXPECT_EQ(directory->file, "/c/1.conf");
  EXPECT_EQ(diagnostics.to_string(), "");
}

TEST_F(ConfigurationFilesTest, SkipsKindsThatFlumeSkips) {
  write("/c.d/a.json", "{}");
  write("/c.d/a.conf.json", "a1.channels = c1");
  write("/c.d/.yaml", "a1.sinks = k1");
  const std::optional<Interpolated> loaded =
      load({"/c.d/a.json", "/c.d/a.conf.json", "/c.d/.yaml"});
  ASSERT_TRUE(loaded.has_value());
  EXPECT_EQ(loaded->properties.entries().size(), 2U);
  EXPECT_EQ(diagnostics.to_string(),
            "/c.d/a.json: warning: is of a kind that is not supported here: it is skipped\n");
}

TEST_F(ConfigurationFilesTest, NamesEveryFileThatCannotBeRead) {
  write("/c/1.conf", "a1.channels = c1\n");
  write("/c/big.conf", std::string(kMostPropertiesBytes + 1, '#'));
  EXPECT_FALSE(load({"/c/1.conf", "/c/none.conf", "/c/big.conf", "/c"}).has_value());
  EXPECT_EQ(diagnostics.error_count(), 3U);
  EXPECT_THAT(diagnostics.to_string(), HasSubstr("/c/none.conf: error: cannot be read"));
}

}  // namespace
}  // namespace millrace
