#include "source/netcat/stream_decoder.h"

#include <gtest/gtest.h>

#include <string>

namespace millrace {
namespace {

TEST(StreamDecoderTest, DecodesAsJavaDoes) {
  using namespace std::string_literals;
  const auto decode = [](const std::string& encoding, const std::string& bytes) {
    auto decoder = StreamDecoder::make(encoding);
    EXPECT_TRUE(decoder.ok());
    std::string text;
    for (const char byte : bytes) {  // Torn at every place.
      decoder.value()->append({&byte, 1}, text);
    }
    decoder.value()->finish(text);
    return text;
  };
  EXPECT_EQ(decode("ISO-8859-1", "\xE4"), "\xC3\xA4");
  EXPECT_EQ(decode("UTF-16", "\0a\0b"s), "ab");
  EXPECT_EQ(decode("utf-16",
                   "\xFF\xFE"
                   "a\0b\0"s),
            "ab");
  EXPECT_EQ(decode("UTF-16", "\xFE\xFF\0a"s), "a");
  EXPECT_EQ(decode("UTF-32", "\0\0\0a"s), "a");
  EXPECT_EQ(decode("Shift_JIS", "\x82\xA0"), "\xE3\x81\x82");
  EXPECT_EQ(decode("US-ASCII",
                   "a\xFF"
                   "b"),
            "a\xEF\xBF\xBD"
            "b");
  EXPECT_EQ(decode("UTF-16BE", "\0a\0"s), "a\xEF\xBF\xBD");
}

}  // namespace
}  // namespace millrace
