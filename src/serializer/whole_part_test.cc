// Goal: a file of any format that was cut at any byte can be cut again where it is whole, never
// further than needed; what is no torn tail is not taken for one.
#include "serializer/whole_part.h"

#include <gtest/gtest.h>

#include "core/testing_services.h"
#include "serializer/avro_event.h"
#include "serializer/hadoop_codec/compressed_serializer.h"
#include "serializer/header_and_text.h"
#include "serializer/sequence_file/sequence_file_serializer.h"

namespace millrace {
namespace {

WholePart whole(std::string_view bytes, FileShape shape) {
  return find_whole_part(source_of(bytes), bytes.size(), shape, "/f").value();
}

class WholePartTest : public testing::Test {
 protected:
  // The lengths of a file at which it was flushed.
  std::vector<std::size_t> write(EventSerializer& serializer, std::string& file) {
    EXPECT_TRUE(serializer.begin(file).ok());
    std::vector<std::size_t> borders{file.size()};
    for (const std::string body : {"one", "two and more of it", ""}) {
      const BatchPtr batch = test_.slabs.batch_of({{body, {{"k", "v"}}}, {"last", {}}});
      EXPECT_TRUE(serializer.append(*batch, file).ok());
      EXPECT_TRUE(serializer.flush(file).ok());
      borders.push_back(file.size());
    }
    return borders;
  }

  // Cut anywhere, it is whole up to the last flush at least, and what is found whole stays so.
  void check(EventSerializer& serializer, HadoopCodec codec) {
    SCOPED_TRACE(std::to_string(static_cast<int>(serializer.contents())) + " " +
                 std::string(to_string(codec)));
    const FileShape shape{serializer.contents(), codec};
    std::string file;
    const std::vector<std::size_t> borders = write(serializer, file);
    for (std::size_t size = 0; size <= file.size(); ++size) {
      const WholePart part = whole(std::string_view(file).substr(0, size), shape);
      EXPECT_EQ(part.damage, "") << size;
      EXPECT_LE(part.bytes, size);
      const auto behind = std::upper_bound(borders.begin(), borders.end(), size);
      EXPECT_GE(part.bytes, behind == borders.begin() ? 0 : *std::prev(behind)) << size;
      EXPECT_EQ(whole(std::string_view(file).substr(0, part.bytes), shape).bytes, part.bytes);
    }
  }

  testing_kit::TestServices test_;
  SerializerContext context_{test_.services};
};

TEST_F(WholePartTest, FindsTheEndOfEachFormat) {
  TextSerializer text({}, context_);
  HeaderAndTextSerializer header_and_text({}, context_);
  check(text, HadoopCodec::kNone);
  check(header_and_text, HadoopCodec::kNone);
  for (const std::string codec : {"null", "deflate", "snappy"}) {
    AvroEventSerializer avro({.compression_codec = codec}, context_);
    check(avro, HadoopCodec::kNone);
  }
  for (const auto compression :
       {SequenceCompression::kNone, SequenceCompression::kRecord, SequenceCompression::kBlock}) {
    SequenceFileOptions options{.compression = compression};
    if (compression != SequenceCompression::kNone) {
      options.codec = HadoopCodec::kSnappy;
    }
    SequenceFileSerializer sequence(options, test_.clock);
    check(sequence, HadoopCodec::kNone);
  }
}

TEST_F(WholePartTest, FindsTheLastWholeMemberOfEachCodec) {
  for (const HadoopCodec codec :
       {HadoopCodec::kDefault, HadoopCodec::kGzip, HadoopCodec::kBzip2, HadoopCodec::kSnappy,
        HadoopCodec::kLz4, HadoopCodec::kZstandard}) {
    CompressedSerializer text(std::make_unique<TextSerializer>(TextConfig{}, context_), codec);
    check(text, codec);
    CompressedSerializer avro(std::make_unique<AvroEventSerializer>(AvroEventConfig{}, context_),
                              codec);
    check(avro, codec);
  }
}

TEST_F(WholePartTest, FindsTheLastLineFarFromTheEnd) {
  const std::string line = "one line\n";
  EXPECT_EQ(whole(line + std::string(200'000, 'x'), {FileContents::kLines}).bytes, line.size());
  EXPECT_EQ(whole(std::string(200'000, 'x'), {FileContents::kLines}).bytes, 0U);
  EXPECT_EQ(whole(line, {FileContents::kLines}).bytes, line.size());
}

TEST_F(WholePartTest, BytesWithoutBordersAreWhole) {
  const TextSerializer text({.append_newline = false}, context_);
  EXPECT_EQ(text.contents(), FileContents::kBytes);
  EXPECT_EQ(whole("any", {}).bytes, 3U);
}

TEST_F(WholePartTest, NamesDamageThatIsNoTornTail) {
  SequenceFileSerializer sequence({}, test_.clock);
  std::string file;
  const std::vector<std::size_t> borders = write(sequence, file);
  file[borders[1] + 4] = '\x7F';  // A key longer than its record.
  const WholePart part = whole(file, {FileContents::kSequenceFile});
  EXPECT_EQ(part.bytes, borders[1]);
  EXPECT_NE(part.damage.find("a key longer than its record"), std::string::npos) << part.damage;
  EXPECT_NE(whole("PK\x03\x04", {FileContents::kSequenceFile}).damage, "");
}

}  // namespace
}  // namespace millrace
