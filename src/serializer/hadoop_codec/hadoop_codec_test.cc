// Goal: each codec gives back what it packed, in memory and as a stream; a stream that is cut at
// any byte is read up to its last whole member; names and extensions are Hadoop's.
#include "serializer/hadoop_codec/hadoop_codec.h"

#include <gtest/gtest.h>

#include <random>

#include "base/bytes.h"
#include "core/testing_services.h"
#include "serializer/hadoop_codec/codec_reader.h"
#include "serializer/hadoop_codec/compressed_serializer.h"
#include "serializer/text.h"

namespace millrace {
namespace {

constexpr HadoopCodec kCodecs[] = {
    HadoopCodec::kDefault, HadoopCodec::kDeflate, HadoopCodec::kGzip,     HadoopCodec::kBzip2,
    HadoopCodec::kSnappy,  HadoopCodec::kLz4,     HadoopCodec::kZstandard};

std::string some_text(std::mt19937_64& random, std::size_t size) {
  std::string text(size, 'x');
  for (std::size_t i = 0; i < size; i += 1 + random() % 40) {
    text[i] = static_cast<char>(random());
  }
  return text;
}

std::string pack(HadoopCodec codec, std::string_view text, std::size_t piece_bytes,
                 std::size_t buffer_bytes = kHadoopBufferBytes) {
  const auto compressor = make_hadoop_compressor(codec, buffer_bytes);
  for (std::size_t from = 0; from < text.size(); from += piece_bytes) {
    EXPECT_TRUE(compressor->add(text.substr(from, piece_bytes)).ok());
  }
  return std::string(compressor->finish().value());
}

std::string unpack(HadoopCodec codec, std::string_view packed, std::size_t limit = 1 << 24) {
  RawBuffer out;
  const Result<> done = HadoopUnpacker(codec).unpack(packed, limit, out);
  return done.ok() ? std::string(out.view()) : "error: " + done.error().message();
}

struct ReadBack {
  std::string text;
  FileEnd end;
  std::uint64_t whole_bytes;
};

ReadBack read_stream(HadoopCodec codec, std::string_view packed) {
  CodecReader reader(codec, source_of(packed), "/f");
  ReadBack back;
  for (auto piece = reader.next(); piece.ok() && !piece->empty(); piece = reader.next()) {
    back.text += *piece;
  }
  back.end = reader.end();
  back.whole_bytes = reader.whole_bytes();
  return back;
}

TEST(HadoopCodecTest, GivesBackWhatItPacked) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (const HadoopCodec codec : kCodecs) {
    SCOPED_TRACE(std::string(to_string(codec)));
    for (const std::size_t size : {1UL, 300UL, 200'000UL, 218'420UL, 700'000UL}) {
      for (const std::size_t piece : {100UL, 65'536UL, 1'000'000UL}) {
        const std::string text = some_text(random, size);
        const std::string packed = pack(codec, text, piece);
        EXPECT_EQ(unpack(codec, packed), text);
        EXPECT_EQ(unpack(codec, packed + packed), text + text);
        const ReadBack back = read_stream(codec, packed + packed);
        EXPECT_EQ(back.text, text + text);
        EXPECT_EQ(back.end, FileEnd::kBorder);
        EXPECT_EQ(back.whole_bytes, 2 * packed.size());
      }
    }
  }
}

TEST(HadoopCodecTest, ReadsACutStreamUpToItsLastWholeMember) {
  for (const HadoopCodec codec : kCodecs) {
    SCOPED_TRACE(std::string(to_string(codec)));
    const std::string first = pack(codec, "one two three\n", 100);
    const std::string file = first + pack(codec, "four five six\n", 100);
    for (std::size_t size = 0; size <= file.size(); ++size) {
      const ReadBack back = read_stream(codec, std::string_view(file).substr(0, size));
      const std::size_t whole = size == file.size()    ? size
                                : size >= first.size() ? first.size()
                                                       : 0;
      EXPECT_EQ(back.whole_bytes, whole) << size;
      EXPECT_EQ(back.end, size == whole ? FileEnd::kBorder : FileEnd::kTorn) << size;
    }
  }
}

TEST(HadoopCodecTest, BoundsWhatItUnpacks) {
  const std::string text(3 << 20, 'x');
  for (const HadoopCodec codec : kCodecs) {
    const std::string packed = pack(codec, text, text.size());
    EXPECT_EQ(unpack(codec, packed, text.size()), text);
    EXPECT_NE(unpack(codec, packed, text.size() - 1).find("error: "), std::string::npos);
  }
}

TEST(HadoopCodecTest, NeverGivesMoreThanThereIsFromDamagedBytes) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (const HadoopCodec codec : kCodecs) {
    const std::string packed = pack(codec, some_text(random, 5'000), 100, 1'000);
    for (int round = 0; round < 200; ++round) {
      std::string damaged = packed;
      damaged[random() % damaged.size()] = static_cast<char>(random());
      unpack(codec, damaged, 1 << 20);
      EXPECT_LE(read_stream(codec, damaged).whole_bytes, damaged.size());
    }
  }
}

// Small writes share a block up to the room that the codec leaves in its buffer; a larger one has a
// block with several chunks.
TEST(HadoopCodecTest, EndsBlocksWhereHadoopDoes) {
  const std::string text(1'000, 'x');
  const auto word = [](const std::string& packed, std::size_t at) {
    return ByteReader(std::string_view(packed).substr(at)).big<std::uint32_t>().value();
  };
  const std::string shared = pack(HadoopCodec::kSnappy, text, 100, 1'000);  // 801 to a chunk.
  EXPECT_EQ(word(shared, 0), 800U);
  EXPECT_EQ(word(shared, 8 + word(shared, 4)), 200U);
  const std::string alone = pack(HadoopCodec::kSnappy, text, 1'000, 1'000);
  EXPECT_EQ(word(alone, 0), 1'000U);
  EXPECT_LT(word(alone, 8 + word(alone, 4)), 200U);  // The second chunk's packed length.
  EXPECT_EQ(pack(HadoopCodec::kLz4, "", 100), "");
}

TEST(HadoopCodecTest, KnowsFlumesNames) {
  const auto named = [](std::string_view name) {
    return std::string(to_string(hadoop_codec_named(name).value()));
  };
  EXPECT_EQ(named("gzip"), "Gzip");
  EXPECT_EQ(named("GZIPCODEC"), "Gzip");
  EXPECT_EQ(named("org.apache.hadoop.io.compress.GzipCodec"), "Gzip");
  EXPECT_EQ(named("bzip2"), "BZip2");
  EXPECT_EQ(named("DefaultCodec"), "Default");
  EXPECT_EQ(named("deflate"), "Deflate");
  EXPECT_EQ(named("snappy"), "Snappy");
  EXPECT_EQ(named("lz4"), "Lz4");
  EXPECT_EQ(named("zstd"), "ZStandard");
  EXPECT_EQ(named("ZStandardCodec"), "ZStandard");
  EXPECT_EQ(named("None"), "None");
  const auto refused = [](std::string_view name) {
    const auto codec = hadoop_codec_named(name);
    return codec.ok() ? "" : codec.error().message();
  };
  EXPECT_EQ(refused("snapy"),
            "no codec is called \"snapy\", did you mean \"Snappy\"?; there are None, Default, "
            "Deflate, Gzip, BZip2, Snappy, Lz4, ZStandard");
  EXPECT_NE(refused("lzop").find("is not supported"), std::string::npos);
  EXPECT_NE(refused("com.hadoop.compression.lzo.LzoCodec").find("is not supported"),
            std::string::npos);
}

TEST(HadoopCodecTest, KnowsHadoopsExtensions) {
  for (const HadoopCodec codec : kCodecs) {
    const HadoopCodec by_name = hadoop_codec_of("/a/b" + std::string(default_extension(codec)));
    EXPECT_EQ(default_extension(by_name), default_extension(codec));
  }
  EXPECT_EQ(hadoop_codec_of("/a/gz"), HadoopCodec::kNone);
}

TEST(CompressedSerializerTest, EndsAMemberAtEachFlush) {
  testing_kit::TestServices test;
  for (const HadoopCodec codec : kCodecs) {
    SCOPED_TRACE(std::string(to_string(codec)));
    CompressedSerializer serializer(
        std::make_unique<TextSerializer>(TextConfig{}, SerializerContext{test.services}), codec);
    std::string file;
    ASSERT_TRUE(serializer.begin(file).ok());
    ASSERT_TRUE(serializer.append(*test.slabs.batch_of({{"one", {}}}), file).ok());
    ASSERT_TRUE(serializer.flush(file).ok());
    EXPECT_EQ(unpack(codec, file), "one\n");
    const std::string before = file;
    ASSERT_TRUE(
        serializer.append(*test.slabs.batch_of({{std::string(100'000, 'l'), {}}}), file).ok());
    serializer.drop_open();
    file = before;
    ASSERT_TRUE(serializer.append(*test.slabs.batch_of({{"two", {}}, {"three", {}}}), file).ok());
    ASSERT_TRUE(serializer.flush(file).ok());
    ASSERT_TRUE(serializer.flush(file).ok());
    ASSERT_TRUE(serializer.end(file).ok());
    EXPECT_EQ(unpack(codec, file), "one\ntwo\nthree\n");
  }
}

}  // namespace
}  // namespace millrace
