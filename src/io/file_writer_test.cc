#include "io/file_writer.h"

#include <gtest/gtest.h>

#include "io/temp_folder.h"

namespace millrace {
namespace {

class FileWriterTest : public testing::Test {
 protected:
  std::unique_ptr<File> make(const std::string& name) {
    auto file = real_file_system().open(folder_ / name, OpenMode::kCreate);
    EXPECT_TRUE(file.ok());
    return std::move(file).value();
  }
  std::string text(const std::string& name) {
    return read_file(real_file_system(), folder_ / name).value();
  }
  const TempFolder folder_;
};

// Goal: bytes arrive in order whatever their sizes. Method: pieces below, at and above the
// buffer's size, compared with the same bytes in one string.
TEST_F(FileWriterTest, KeepsOrderAcrossBufferEdges) {
  FileWriter writer(make("a"));
  std::string expected;
  const std::size_t sizes[] = {1, FileWriter::kBufferBytes - 1, 1, FileWriter::kBufferBytes,
                               3, 2 * FileWriter::kBufferBytes, 0, 77};
  char fill = 'a';
  for (const std::size_t size : sizes) {
    const std::string piece(size, fill++);
    ASSERT_TRUE(writer.append(piece).ok());
    expected += piece;
    EXPECT_EQ(writer.position(), expected.size());
  }
  ASSERT_TRUE(writer.sync().ok());
  EXPECT_EQ(text("a"), expected);
}

TEST_F(FileWriterTest, TruncatesInBufferAndInFile) {
  FileWriter writer(make("a"));
  ASSERT_TRUE(writer.append("abcdef").ok());
  ASSERT_TRUE(writer.truncate(5).ok());
  ASSERT_TRUE(writer.flush().ok());
  ASSERT_TRUE(writer.append("xyz").ok());
  ASSERT_TRUE(writer.truncate(2).ok());
  EXPECT_EQ(writer.position(), 2U);
  ASSERT_TRUE(writer.append("Z").ok());
  ASSERT_TRUE(writer.flush().ok());
  EXPECT_EQ(text("a"), "abZ");
}

}  // namespace
}  // namespace millrace
