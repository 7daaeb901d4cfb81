#include "io/command_output.h"

#include <gtest/gtest.h>

namespace millrace {
namespace {

using namespace std::chrono_literals;

Result<std::string> shell(const std::string& script, std::chrono::milliseconds patience = 20s) {
  return command_output({"/bin/sh", "-c", script}, patience, 100);
}

TEST(CommandOutputTest, GivesWhatTheCommandPrints) {
  EXPECT_EQ(shell("printf 'a\\nb'").value(), "a\nb");
  EXPECT_EQ(shell("echo aside >&2").value(), "");
  EXPECT_EQ(command_output({"/bin/echo", "$HOME", "x y"}, 20s, 100).value(), "$HOME x y\n");
}

TEST(CommandOutputTest, SaysWhyThereIsNothing) {
  const auto said = [](const Result<std::string>& result) {
    EXPECT_FALSE(result.ok());
    EXPECT_EQ(result.error().fault(), Fault::kTransient);
    return result.error().message();
  };
  EXPECT_EQ(said(shell("echo secret; echo first >&2; echo no such key >&2; exit 3")),
            "\"/bin/sh\" exited with status 3: no such key");
  EXPECT_EQ(said(shell("kill -9 $$")), "\"/bin/sh\" was killed by signal 9 (Killed)");
  EXPECT_EQ(said(shell("head -c 200 /dev/zero")), "\"/bin/sh\" prints more than 100 bytes");
  EXPECT_EQ(said(shell("exec sleep 100", 50ms)), "\"/bin/sh\" has not ended after 50 ms");
#ifndef __SANITIZE_THREAD__  // Its vfork() shares no memory: what went wrong stays with the child.
  EXPECT_NE(said(command_output({"/no/such/command"}, 20s, 100)).find("No such file"),
            std::string::npos);
#endif
}

}  // namespace
}  // namespace millrace
