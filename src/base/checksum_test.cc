#include "base/checksum.h"

#include <gtest/gtest.h>

namespace millrace {
namespace {

// Values: the check values of the CRC catalogue for CRC-32/ISCSI and CRC-32/ISO-HDLC.
TEST(ChecksumTest, GivesTheCheckValues) {
  EXPECT_EQ(crc32c("123456789"), 0xE3069283u);
  EXPECT_EQ(crc32("123456789"), 0xCBF43926u);
}

TEST(ChecksumTest, ContinuesAnEarlierCall) {
  EXPECT_EQ(crc32c("6789", crc32c("12345")), crc32c("123456789"));
  EXPECT_EQ(crc32("6789", crc32("12345")), crc32("123456789"));
}

}  // namespace
}  // namespace millrace
