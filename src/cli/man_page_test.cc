#include "cli/man_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/cli.h"
#include "io/temp_folder.h"

namespace millrace {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string printed_by(const std::vector<std::string>& arguments, int status = kDone) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  EXPECT_EQ(run_program(arguments), status);
  return testing::internal::GetCapturedStdout() + testing::internal::GetCapturedStderr();
}

std::string contents(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(ManPage, SaysWhatACommandTakes) {
  const std::string page = printed_by({"help", "--man", "channel", "export"});
  for (const char* text : {
           ".TH millrace\\-channel\\-export 1 \"\" \"Millrace 0.1.0\"",
           ".SH NAME\nmillrace\\-channel\\-export \\- Write its events out",
           ", as JSON lines or Avro\n.SH SYNOPSIS\n",
           "\\fBmillrace channel export\\fP [\\fIOPTIONS\\fP] [\\fICHANNEL\\fP ...]\n",
           ".TP\n\\fB\\-\\-format\\fP json|avro\n",
           "Default: json.\n",
       }) {
    EXPECT_THAT(page, HasSubstr(text));
  }
  EXPECT_THAT(printed_by({"help", "--man", "hammer"}), HasSubstr("1 to 65535.\n"));
}

// A line that begins with a stop or a quote would be taken for a request, and a backslash for an
// escape.
TEST(ManPage, NoTextIsTakenForARequest) {
  CommandDescription command;
  command.name = "odd";
  command.summary = "One line.\n.Two \\lines\n'three'\n  four.\n  five  .six\nseven";
  const std::string page = man_page(command, command);
  EXPECT_THAT(page, HasSubstr(".SH DESCRIPTION\nOne line.\n\\&.Two \\elines\n\\&\\(aqthree\\(aq\n"
                              ".br\nfour.\n.TP\n\\fBfive\\fP\n\\&.six\n.PP\nseven\n"));
}

TEST(ManPage, ThereIsOneForEachCommandAndGroffReadsIt) {
  const TempFolder temp;
  EXPECT_EQ(printed_by({"help", "--man", "--into", temp.path().string()}), "");
  std::size_t pages = 0;
  for_each_command(describe_program(), [&](const CommandDescription& command) {
    const std::filesystem::path path = temp / (man_page_name(command) + ".1");
    ++pages;
    ASSERT_TRUE(std::filesystem::exists(path)) << path;
    if (std::system("command -v groff > /dev/null") == 0) {
      const std::string said = (temp / "said").string();
      EXPECT_EQ(std::system(
                    ("groff -ww -man -Tutf8 -z " + path.string() + " > " + said + " 2>&1").c_str()),
                0);
      EXPECT_EQ(contents(said), "") << path;
    }
  });
  EXPECT_GT(pages, 20U);
  const std::string program = contents(temp / "millrace.1");
  EXPECT_THAT(program, HasSubstr("\\fBmillrace\\-agent\\fP(1)\n"));
  EXPECT_THAT(program, Not(HasSubstr("SEE ALSO")));
  EXPECT_THAT(contents(temp / "millrace-channel.1"),
              HasSubstr("\\fBmillrace\\-channel\\-ls\\fP(1)"));
}

TEST(ManPage, HelpRefusesWhatDoesNotGoTogether) {
  EXPECT_THAT(printed_by({"help", "--man", "agnet"}, kBadUsage),
              HasSubstr("there is no command \"agnet\""));
  EXPECT_THAT(printed_by({"help", "--into", "x"}, kBadUsage), HasSubstr("--into goes with --man"));
  EXPECT_THAT(printed_by({"help", "channel", "show"}), HasSubstr("millrace channel show"));
}

}  // namespace
}  // namespace millrace
