#include "base/bytes.h"

#include <gtest/gtest.h>

#include <limits>

namespace millrace {
namespace {

TEST(ByteReaderTest, ReadsWhatIsThereAndRefusesWhatIsNot) {
  ByteReader reader(std::string_view("\x01\x02\x03\x04", 4));
  EXPECT_EQ(reader.little<std::uint16_t>().value(), 0x0201);
  EXPECT_EQ(reader.big<std::uint16_t>().value(), 0x0304);
  const auto past = reader.little<std::uint8_t>();
  ASSERT_FALSE(past.ok());
  EXPECT_EQ(past.error().fault(), Fault::kCorrupt);
}

TEST(ByteReaderTest, GivesBackEveryAvroLong) {
  const std::int64_t values[] = {0,
                                 -1,
                                 1,
                                 63,
                                 -64,
                                 64,
                                 1 << 20,
                                 std::numeric_limits<std::int64_t>::max(),
                                 std::numeric_limits<std::int64_t>::min()};
  for (const std::int64_t value : values) {
    std::string encoded;
    append_avro_long(encoded, value);
    ByteReader reader(encoded);
    EXPECT_EQ(reader.avro_long().value(), value);
    EXPECT_TRUE(reader.empty());
  }
}

TEST(ByteReaderTest, RefusesLengthsThatLie) {
  EXPECT_FALSE(ByteReader("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x02").avro_long().ok());
  EXPECT_FALSE(ByteReader("\x01"
                          "a")
                   .avro_bytes()
                   .ok());  // Length -1.
  EXPECT_FALSE(ByteReader("\x7e"
                          "abc")
                   .avro_bytes()
                   .ok());  // Length 63.
}

}  // namespace
}  // namespace millrace
