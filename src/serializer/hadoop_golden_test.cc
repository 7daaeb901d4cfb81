// Goal: files of Hadoop's own writers, and those of earlier versions of ours, are still read, and
// what we write without a codec has not changed by a byte. tests/golden/hadoop-formats/README.md
// says what is in them.
#include <gtest/gtest.h>

#include "base/bytes.h"
#include "io/file_system.h"
#include "serializer/hadoop_codec/codec_reader.h"
#include "serializer/sequence_file/sequence_file_reader.h"
#include "serializer/sequence_file/sequence_file_writer.h"

namespace millrace {
namespace {

const std::filesystem::path kFolder =
    std::filesystem::path(MILLRACE_SOURCE_DIR) / "tests" / "golden" / "hadoop-formats";

// A line "KEY BODY" each, bodies in hexadecimal.
std::string records_text() {
  return read_file(real_file_system(), kFolder / "records.txt").value();
}

std::string to_hex(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) {
    text += "0123456789abcdef"[static_cast<unsigned char>(byte) >> 4];
    text += "0123456789abcdef"[static_cast<unsigned char>(byte) & 15];
  }
  return text;
}

std::string read_sequence(const std::filesystem::path& path) {
  auto source = source_of(real_file_system().open(path, OpenMode::kRead).value());
  auto reader = SequenceFileReader::over(std::move(source), path.string()).value();
  std::string text;
  SequenceRecord record;
  while (reader.next(record).value()) {
    const std::int64_t key = ByteReader(record.key).big<std::int64_t>().value();
    const auto body = sequence_value_bytes(reader.header().value_class, record.value).value();
    text += std::to_string(key) + " " + to_hex(body) + "\n";
  }
  EXPECT_EQ(reader.end(), FileEnd::kBorder);
  return text;
}

std::string read_stream(const std::filesystem::path& path) {
  auto source = source_of(real_file_system().open(path, OpenMode::kRead).value());
  CodecReader reader(hadoop_codec_of(path.string()), std::move(source), path.string());
  std::string text;
  for (std::string_view piece = reader.next().value(); !piece.empty();
       piece = reader.next().value()) {
    text += piece;
  }
  return to_hex(text);
}

// The bodies, each with a line feed.
std::string stream_text() {
  std::string text;
  const std::string records = records_text();
  for (std::size_t at = 0; at < records.size();) {
    const std::size_t blank = records.find(' ', at);
    const std::size_t end = records.find('\n', at);
    text += records.substr(blank + 1, end - blank - 1) + "0a";
    at = end + 1;
  }
  return text;
}

TEST(HadoopGoldenTest, ReadsEveryFile) {
  const std::string records = records_text();
  const std::string stream = stream_text();
  for (const std::string writer : {"ours", "hadoop"}) {
    const auto names = real_file_system().list(kFolder / writer).value();
    EXPECT_GE(names.size(), 29U);
    for (const std::string& name : names) {
      SCOPED_TRACE(std::string(writer).append("/").append(name));
      const std::filesystem::path path = kFolder / writer / name;
      if (name.ends_with(".seq")) {
        EXPECT_EQ(read_sequence(path), records);
      } else {
        EXPECT_EQ(read_stream(path), stream);
      }
    }
  }
}

// Hadoop's writer draws the marker; the rest is the same, up to the end: there we put a marker.
TEST(HadoopGoldenTest, WritesTheSameBytes) {
  for (const auto& [name, value] : {std::pair("none-None-Writable.seq", SequenceValue::kWritable),
                                    std::pair("none-None-Text.seq", SequenceValue::kText)}) {
    const std::string hadoop = read_file(real_file_system(), kFolder / "hadoop" / name).value();
    auto reader = SequenceFileReader::over(source_of(hadoop), name).value();
    SequenceFileWriter writer({.value = value});
    std::string file;
    writer.begin(reader.header().sync, file);
    SequenceRecord record;
    for (std::size_t count = 1; reader.next(record).value(); ++count) {
      const std::int64_t key = ByteReader(record.key).big<std::int64_t>().value();
      const auto body = sequence_value_bytes(reader.header().value_class, record.value).value();
      ASSERT_TRUE(writer.append(key, body, file).ok());
      if (count % 4 == 0) {
        ASSERT_TRUE(writer.sync(file).ok());
      }
    }
    EXPECT_TRUE(file == hadoop) << name;
  }
}

}  // namespace
}  // namespace millrace
