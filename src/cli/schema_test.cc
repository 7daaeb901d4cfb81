#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "cli/cli.h"
#include "cli/component_families.h"

namespace millrace {
namespace {

using testing::HasSubstr;

class SchemaTest : public testing::Test {
 protected:
  int schema(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "schema");
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int status = run_program(arguments);
    printed = testing::internal::GetCapturedStdout() + testing::internal::GetCapturedStderr();
    return status;
  }
  std::string printed;
};

TEST_F(SchemaTest, HasEveryComponent) {
  ASSERT_EQ(schema({}), kDone);
  for (const Family& family : component_families()) {
    for (const ComponentInfo& info : family.components) {
      EXPECT_THAT(printed, HasSubstr("\"" + family.name + "." + name_of(info) + "\":{\"title\":"));
      for (const FieldDescription& field : info.fields) {
        EXPECT_THAT(printed, HasSubstr(field.is_prefix ? ".+\":{" : "\"" + field.key + "\":{"));
      }
    }
  }
}

TEST_F(SchemaTest, SaysTypeBoundsDefaultAndWhatIsRequired) {
  ASSERT_EQ(schema({"org.apache.flume.source.NetcatSource"}), kDone);
  for (const char* text :
       {R"("port":{"type":"integer")", R"("minimum":)", R"("required":["bind","port"])",
        R"("type":{})", R"("^selector[.].+":{})", R"("additionalProperties":false)"}) {
    EXPECT_THAT(printed, HasSubstr(text));
  }
  EXPECT_THAT(printed, testing::Not(HasSubstr("sink.")));
}

TEST_F(SchemaTest, SaysChoicesAndUnits) {
  ASSERT_EQ(schema({"load_balance"}), kDone);
  EXPECT_THAT(printed, HasSubstr(R"("enum":["round_robin","random"],"default":"round_robin")"));
  EXPECT_THAT(printed, HasSubstr("In milliseconds."));
  EXPECT_THAT(printed, HasSubstr(R"("processor.backoff":{"type":"boolean")"));
}

TEST_F(SchemaTest, NamesTheNearestOfAnUnknownName) {
  EXPECT_EQ(schema({"netcatt"}), kBadUsage);
  EXPECT_EQ(printed, "millrace schema: there is no \"netcatt\"; did you mean \"netcat\"?\n");
}

}  // namespace
}  // namespace millrace
