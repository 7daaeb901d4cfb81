// Values of config filters in what findings say.
#include "config/diagnostics.h"

#include <gtest/gtest.h>

namespace millrace {
namespace {

class HiddenValuesTest : public testing::Test {
 protected:
  std::string said(const std::string& message, const std::string& hint = "") {
    Diagnostics copy = diagnostics;
    copy.add({Severity::kError, "a.conf", 1, "a1.x", "", message, hint});
    return copy.items().front().message + (hint.empty() ? "" : "; " + copy.items().front().hint);
  }
  Diagnostics diagnostics;
};

TEST_F(HiddenValuesTest, AreShownAsTheyAreWritten) {
  diagnostics.hide("hunter2 c77", "${f1[pw]}");
  EXPECT_EQ(said("channel hunter2 is not there", "did you mean \"hunter2 c77\"?"),
            "channel ${f1[pw]} is not there; did you mean \"${f1[pw]}\"?");
  EXPECT_EQ(said("hunter2hunter2 hunter"), "${f1[pw]}${f1[pw]} hunter");
}

TEST_F(HiddenValuesTest, QuotedPiecesOfThemAreHiddenToo) {
  diagnostics.hide("(?<secret>x)\\k<sesame>", "${f1[re]}");
  EXPECT_EQ(said("no group before this is named \"sesame\""),
            "no group before this is named \"${f1[re]}\"");
  EXPECT_EQ(said("\"other\" and \"secret\" and \"ab"), "\"other\" and \"${f1[re]}\" and \"ab");
}

TEST_F(HiddenValuesTest, ShortOnesAndSeenOnesDoNotSpoilTheRest) {
  diagnostics.hide("1", "${f1[n]}");
  diagnostics.hide("port", "${f1[port]}");
  EXPECT_EQ(said("from 1 to 10, \"1\"; the port"), "from 1 to 10, \"1\"; the port");
}

}  // namespace
}  // namespace millrace
