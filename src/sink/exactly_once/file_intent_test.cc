#include "sink/exactly_once/file_intent.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace millrace {
namespace {

const FileIntent kIntent{{"/srv/out/.1700000000000-1.part", "/srv/out/1700000000000-1",
                          1'234'567'890'123, 0x89abcdef, true},
                         {"/srv/out/.x.part", "/srv/out/x", 5, 7, false}};

TEST(FileIntentTest, IsAsThePageSays) {
  std::ifstream golden(MILLRACE_SOURCE_DIR "/tests/golden/exactly-once/intent.bin",
                       std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(golden), {}};
  EXPECT_EQ(encode_file_intent(kIntent), bytes);
  EXPECT_EQ(decode_file_intent(bytes).value(), kIntent);
}

TEST(FileIntentTest, NoFilesAreNoBytes) {
  EXPECT_EQ(encode_file_intent({}), "");
  EXPECT_TRUE(decode_file_intent("").value().empty());
}

TEST(FileIntentTest, RefusesWhatIsNotWhole) {
  const std::string whole = encode_file_intent(kIntent);
  const std::size_t first = encode_file_intent({kIntent[0]}).size();
  for (std::size_t size = 1; size < whole.size(); ++size) {
    if (size != 1 && size != first) {  // There an intent of fewer files ends.
      EXPECT_FALSE(decode_file_intent(whole.substr(0, size)).ok()) << size;
    }
  }
  EXPECT_EQ(decode_file_intent("\x02").error().fault(), Fault::kConfig);
}

}  // namespace
}  // namespace millrace
