#include "io/tcp_limits.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

namespace millrace {
namespace {

TEST(TcpLimitsTest, AllConnectionsStayWithinTheAllowance) {
  const std::size_t allowance = 400 << 20;
  constexpr std::size_t kLargest = 6 << 20;
  for (std::size_t open = 1; open < 50'000; open = open * 3 / 2 + 1) {
    const std::size_t share = receive_buffer_share(open, allowance, kLargest);
    const std::size_t bytes = share == kLeftToKernel ? kLargest : share * 2;
    EXPECT_LE(bytes * open, std::max(allowance, open * 2 * 4096)) << open;
  }
  EXPECT_EQ(receive_buffer_share(1, allowance, kLargest), kLeftToKernel);
  EXPECT_NE(receive_buffer_share(100, allowance, kLargest), kLeftToKernel);
  EXPECT_GT(tcp_memory_allowance(), 1U << 20);
  EXPECT_GT(tcp_largest_receive_buffer(), 64U << 10);
}

TEST(TcpLimitsTest, ReadsTheKernelsCounter) {
  EXPECT_TRUE(tcp_aborts_on_memory().has_value() || ::access("/proc/net/netstat", R_OK) != 0);
}

}  // namespace
}  // namespace millrace
