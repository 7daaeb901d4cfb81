#include "base/log.h"

#include <gtest/gtest.h>

#include <string>

namespace millrace {
namespace {

using namespace std::string_literals;

TEST(Log, BytesFromOutsideStayOnTheirLine) {
  testing::internal::CaptureStderr();
  log_info("source r1", "stderr: {}", "\x1b[31mred\r\nforged\0 end\tgr\xc3\xbcn"s);
  const std::string line = testing::internal::GetCapturedStderr();
  EXPECT_NE(line.find("[source r1] stderr: \\x1b[31mred\\x0d\\x0aforged\\x00 end\tgr\xc3\xbcn\n"),
            std::string::npos)
      << line;
}

}  // namespace
}  // namespace millrace
