#include "io/tcp_limits.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

namespace millrace {
namespace {

TEST(TcpLimitsTest, AllConnectionsStayWithinTheAllowance) {
  const std::size_t allowance = 400 << 20;
  EXPECT_EQ(receive_buffer_share(1, allowance), 256U * 1024);
  for (std::size_t open = 1; open < 50'000; open = open * 3 / 2 + 1) {
    const std::size_t share = receive_buffer_share(open, allowance);
    EXPECT_LE(share * 2 * open, std::max(allowance, open * 2 * 4096)) << open;
  }
  EXPECT_GT(tcp_memory_allowance(), 1U << 20);
}

TEST(TcpLimitsTest, ReadsTheKernelsCounter) {
  EXPECT_TRUE(tcp_aborts_on_memory().has_value() || ::access("/proc/net/netstat", R_OK) != 0);
}

}  // namespace
}  // namespace millrace
