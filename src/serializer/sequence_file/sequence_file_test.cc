// Goal: what the writer wrote the reader gives back, with each compression and codec; a file cut at
// any byte is read up to its last whole record or block; damage is named, never followed.
#include "serializer/sequence_file/sequence_file.h"

#include <gtest/gtest.h>

#include <random>

#include "core/testing_services.h"
#include "serializer/sequence_file/sequence_file_reader.h"
#include "serializer/sequence_file/sequence_file_serializer.h"
#include "serializer/sequence_file/sequence_file_writer.h"
#include "serializer/sequence_file/writable.h"

namespace millrace {
namespace {

constexpr std::string_view kMarker = "0123456789abcdef";

struct Record {
  std::int64_t key;
  std::string body;
  bool operator==(const Record&) const = default;
};

std::vector<SequenceFileOptions> all_options() {
  std::vector<SequenceFileOptions> all;
  for (const SequenceValue value : {SequenceValue::kWritable, SequenceValue::kText}) {
    all.push_back({.value = value});
    for (const auto compression : {SequenceCompression::kRecord, SequenceCompression::kBlock}) {
      for (const HadoopCodec codec :
           {HadoopCodec::kDefault, HadoopCodec::kGzip, HadoopCodec::kBzip2, HadoopCodec::kSnappy,
            HadoopCodec::kLz4, HadoopCodec::kZstandard}) {
        all.push_back({.value = value, .compression = compression, .codec = codec});
      }
    }
  }
  return all;
}

std::string name_of(const SequenceFileOptions& options) {
  return std::to_string(static_cast<int>(options.compression)) + " " +
         std::string(to_string(options.codec)) +
         (options.value == SequenceValue::kText ? " Text" : " Writable");
}

std::string write_file(const SequenceFileOptions& options, const std::vector<Record>& records,
                       std::size_t flush_every = 1 << 30) {
  SequenceFileWriter writer(options);
  std::string file;
  writer.begin(kMarker, file);
  std::size_t count = 0;
  for (const Record& record : records) {
    EXPECT_TRUE(writer.append(record.key, record.body, file).ok());
    if (++count % flush_every == 0) {
      EXPECT_TRUE(writer.sync(file).ok());
    }
  }
  EXPECT_TRUE(writer.sync(file).ok());
  return file;
}

struct ReadBack {
  std::vector<Record> records;
  SequenceFileHeader header;
  FileEnd end = FileEnd::kOpen;
  std::uint64_t whole_bytes = 0;
  std::string problem;
};

ReadBack read_file(std::string_view bytes, SequenceReaderOptions options = {}) {
  auto reader = SequenceFileReader::over(source_of(bytes), "/f.seq", options).value();
  ReadBack back;
  SequenceRecord record;
  for (;;) {
    const Result<bool> more = reader.next(record);
    if (!more.ok() || !*more) {
      back.problem = more.ok() ? "" : more.error().message();
      break;
    }
    const auto value = sequence_value_bytes(reader.header().value_class, record.value);
    const auto key = ByteReader(record.key).big<std::int64_t>();
    if (!value.ok() || !key.ok()) {
      back.problem = "a bad record";
      break;
    }
    back.records.push_back({*key, std::string(*value)});
  }
  back.header = reader.header();
  back.end = reader.end();
  back.whole_bytes = reader.whole_bytes();
  return back;
}

// Where a file may be cut, found without unpacking.
std::uint64_t passed_bytes(std::string_view bytes) {
  auto reader = SequenceFileReader::over(source_of(bytes), "/f.seq").value();
  for (auto more = reader.pass(); more.ok() && *more; more = reader.pass()) {
  }
  return reader.whole_bytes();
}

std::vector<Record> some_records(std::mt19937_64& random, std::size_t count) {
  std::vector<Record> records;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t sizes[] = {0, 1, 63, 127, 128, 300, 5'000, i == count / 2 ? 400'000UL : 17UL};
    std::string body(sizes[random() % std::size(sizes)], 'x');
    for (std::size_t j = 0; j < body.size(); j += 1 + random() % 40) {
      body[j] = static_cast<char>(random());
    }
    records.push_back({static_cast<std::int64_t>(random()), std::move(body)});
  }
  return records;
}

TEST(WritableTest, WritesNumbersAsHadoopDoes) {
  const std::pair<std::int64_t, std::string_view> known[] = {
      {0, std::string_view("\0", 1)},
      {127, "\x7F"},
      {-112, "\x90"},
      {128, "\x8F\x80"},
      {-113, "\x87\x70"},
      {255, "\x8F\xFF"},
      {256, std::string_view("\x8E\x01\x00", 3)},
      {-257, std::string_view("\x86\x01\x00", 3)},
      {INT64_MAX, "\x88\x7F\xFF\xFF\xFF\xFF\xFF\xFF\xFF"},
      {INT64_MIN, "\x80\x7F\xFF\xFF\xFF\xFF\xFF\xFF\xFF"},
  };
  for (const auto& [value, bytes] : known) {
    std::string written;
    append_vlong(written, value);
    EXPECT_EQ(written, bytes) << value;
    EXPECT_EQ(vlong_bytes(value), bytes.size());
    ByteReader reader(written);
    EXPECT_EQ(read_vlong(reader).value(), value);
    ByteReader cut(std::string_view(written).substr(0, written.size() - 1));
    EXPECT_FALSE(read_vlong(cut).ok());
  }
}

TEST(SequenceFileTest, GivesBackWhatItWroteWithEachCompression) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (const SequenceFileOptions& options : all_options()) {
    SCOPED_TRACE(name_of(options));
    const std::vector<Record> records = some_records(random, 1'000);
    const std::string file = write_file(options, records, 300);
    const ReadBack back = read_file(file);
    EXPECT_TRUE(back.records == records);
    EXPECT_EQ(back.problem, "");
    EXPECT_EQ(back.end, FileEnd::kBorder);
    EXPECT_EQ(back.whole_bytes, file.size());
    EXPECT_EQ(passed_bytes(file), file.size());
    EXPECT_EQ(back.header.key_class, kLongWritable);
    EXPECT_EQ(back.header.compression, options.compression);
    EXPECT_EQ(back.header.codec, options.codec);
  }
}

TEST(SequenceFileTest, IsReadUpToItsLastWholeRecordWhereverItIsCut) {
  const std::vector<Record> records{{1, "one"}, {2, ""}, {3, std::string(300, 'c')}, {4, "four"}};
  for (const SequenceFileOptions& options : all_options()) {
    SCOPED_TRACE(name_of(options));
    const std::string file = write_file(options, records, 2);
    const std::size_t header = write_file(options, {}).size();
    for (std::size_t size = 0; size <= file.size(); ++size) {
      const std::string_view part = std::string_view(file).substr(0, size);
      const ReadBack back = read_file(part);
      EXPECT_LE(back.whole_bytes, size);
      EXPECT_EQ(back.whole_bytes == 0, size < header) << size;
      EXPECT_EQ(back.end, back.whole_bytes == size && size > 0 ? FileEnd::kBorder : FileEnd::kTorn)
          << size;
      EXPECT_EQ(passed_bytes(part), back.whole_bytes) << size;
      if (back.whole_bytes > 0) {  // Cut there, it is whole, with the same records.
        const ReadBack cut = read_file(part.substr(0, back.whole_bytes));
        EXPECT_EQ(cut.end, FileEnd::kBorder);
        EXPECT_TRUE(cut.records == back.records);
      }
    }
    EXPECT_TRUE(read_file(file).records == records);
  }
}

TEST(SequenceFileTest, ForgetsWhatIsDropped) {
  for (const SequenceFileOptions& options : all_options()) {
    SequenceFileWriter writer(options);
    std::string file;
    writer.begin(kMarker, file);
    ASSERT_TRUE(writer.append(1, "kept", file).ok());
    ASSERT_TRUE(writer.sync(file).ok());
    const std::string committed = file;
    for (int i = 0; i < 300; ++i) {
      ASSERT_TRUE(writer.append(2, std::string(5'000, 'l'), file).ok());
    }
    file = committed;
    writer.drop_open();
    ASSERT_TRUE(writer.append(3, "kept too", file).ok());
    ASSERT_TRUE(writer.sync(file).ok());
    const std::vector<Record> expected{{1, "kept"}, {3, "kept too"}};
    EXPECT_TRUE(read_file(file).records == expected) << name_of(options);
  }
}

TEST(SequenceFileTest, PutsAMarkerBehindEachHundredKilobytes) {
  const std::vector<Record> records(1'000, {1, std::string(1'000, 'x')});
  const std::string file = write_file({}, records);
  std::size_t markers = 0;
  const std::string marker = "\xFF\xFF\xFF\xFF" + std::string(kMarker);
  for (std::size_t at = file.find(marker); at != std::string::npos;
       at = file.find(marker, at + 1)) {
    ++markers;
  }
  EXPECT_EQ(markers, 10U);  // Of 1,020 bytes each; with the last one.
}

TEST(SequenceFileTest, KeepsMetadata) {
  SequenceFileOptions options;
  options.metadata = {{"made by", "a test"}};
  EXPECT_EQ(read_file(write_file(options, {})).header.metadata, options.metadata);
}

TEST(SequenceFileTest, NeverGivesMoreThanThereIsFromDamagedBytes) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (const SequenceFileOptions& options : all_options()) {
    const std::string file = write_file(options, some_records(random, 10), 3);
    for (int round = 0; round < 100; ++round) {
      std::string damaged = file;
      damaged[random() % damaged.size()] = static_cast<char>(random());
      EXPECT_LE(read_file(damaged, {.limit = 1 << 20}).whole_bytes, damaged.size());
    }
  }
}

TEST(SequenceFileTest, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(read_file("PK\x03\x04 and more").end, FileEnd::kDamaged);
  EXPECT_NE(read_file("SEQ\x04").problem.find("another version"), std::string::npos);
  const SequenceFileOptions gzip{.compression = SequenceCompression::kBlock,
                                 .codec = HadoopCodec::kGzip};
  std::string file = write_file(gzip, {{1, "one"}});
  file.replace(file.find("Gzip"), 4, "Gxyz");
  const ReadBack back = read_file(file);
  EXPECT_EQ(back.end, FileEnd::kDamaged);
  EXPECT_NE(back.problem.find("no codec is called"), std::string::npos) << back.problem;
}

TEST(SequenceFileSerializerTest, TakesTheTimeFromTheHeaderOrTheClock) {
  testing_kit::TestServices test;
  SequenceFileSerializer serializer({}, test.clock);
  std::string file;
  ASSERT_TRUE(serializer.begin(file).ok());
  const BatchPtr batch = test.slabs.batch_of({{"a", {{"timestamp", "17"}}},
                                              {"b", {}},
                                              {"c", {{"timestamp", "+18"}}},
                                              {"d", {{"timestamp", "-1"}}}});
  ASSERT_TRUE(serializer.append(*batch, file).ok());
  ASSERT_TRUE(serializer.flush(file).ok());
  const std::vector<Record> expected{{17, "a"}, {test.clock.wall_ms(), "b"}, {18, "c"}, {-1, "d"}};
  EXPECT_TRUE(read_file(file).records == expected);
}

TEST(SequenceFileSerializerTest, RejectsATimeThatIsNoNumber) {
  testing_kit::TestServices test;
  SequenceFileSerializer serializer({}, test.clock);
  EXPECT_FALSE(serializer.takes_all());
  for (const std::string time : {"", "x", "1 ", "+-1", "1.5", "99999999999999999999"}) {
    const BatchPtr batch = test.slabs.batch_of({{"a", {{"timestamp", time}}}});
    const Result<> checked = serializer.check((*batch)[0]);
    ASSERT_FALSE(checked.ok()) << time;
    EXPECT_EQ(checked.error().fault(), Fault::kRejected);
  }
  EXPECT_TRUE(serializer.check((*test.slabs.batch_of({{"a", {}}}))[0]).ok());
}

TEST(SequenceFileSerializerTest, KnowsFlumesWriteFormats) {
  EXPECT_EQ(write_format_named("Writable").value(), SequenceValue::kWritable);
  EXPECT_EQ(write_format_named("Text").value(), SequenceValue::kText);
  EXPECT_EQ(write_format_named("org.apache.flume.sink.hdfs.HDFSTextSerializer$Builder").value(),
            SequenceValue::kText);
  EXPECT_EQ(write_format_named("text").error().message(),
            "expected Writable or Text, did you mean \"Text\"?");
}

}  // namespace
}  // namespace millrace
