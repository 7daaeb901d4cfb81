// Goal: what the writer wrote, and what other writers write, the reader gives back; a torn or
// damaged file is named with the byte where it begins, and never more is given than was whole.
#include "serializer/avro_container.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "base/bytes.h"
#include "core/headers.h"
#include "io/fake_file_system.h"
#include "serializer/avro_container_reader.h"
#include "serializer/avro_container_writer.h"
#include "serializer/avro_events.h"

namespace millrace {
namespace {

constexpr std::string_view kMarker = "0123456789abcdef";
constexpr AvroCodec kCodecs[] = {AvroCodec::kNull,  AvroCodec::kDeflate,   AvroCodec::kSnappy,
                                 AvroCodec::kBzip2, AvroCodec::kZstandard, AvroCodec::kXz};

struct OwnedEvent {
  std::string headers;
  std::string body;
  bool operator==(const OwnedEvent&) const = default;
};

std::vector<EventRef> refs(const std::vector<OwnedEvent>& events) {
  std::vector<EventRef> all;
  for (const OwnedEvent& event : events) {
    all.push_back({event.body.data(), event.headers.data(),
                   static_cast<std::uint32_t>(event.body.size()),
                   static_cast<std::uint32_t>(event.headers.size())});
  }
  return all;
}

std::string header_block(const std::vector<Header>& headers) {
  HeaderEditor editor;
  for (const auto& [key, value] : headers) {
    editor.set(key, value);
  }
  return editor.encode();
}

std::vector<OwnedEvent> some_events(std::mt19937_64& random, std::size_t count) {
  std::vector<OwnedEvent> events;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t sizes[] = {0, 1, 63, 64, 300, 5'000, i == count / 2 ? 200'000UL : 17UL};
    std::string body(sizes[random() % std::size(sizes)], 'x');
    for (std::size_t j = 0; j < body.size(); j += 1 + random() % 40) {
      body[j] = static_cast<char>(random());
    }
    events.push_back({random() % 3 == 0 ? std::string(kNoHeaders)
                                        : header_block({{"host", "h1"}, {"n", std::to_string(i)}}),
                      std::move(body)});
  }
  return events;
}

std::string write_file(const AvroWriterOptions& options, const std::vector<OwnedEvent>& events) {
  AvroContainerWriter writer(options);
  std::string file;
  writer.begin(kMarker, file);
  EXPECT_TRUE(writer.append(refs(events), file).ok());
  EXPECT_TRUE(writer.end_block(file).ok());
  return file;
}

struct ReadBack {
  std::vector<OwnedEvent> events;
  std::size_t blocks = 0;
  FileEnd end = FileEnd::kOpen;
  std::uint64_t whole_bytes = 0;
  std::string problem;
};

AvroContainerReader open_bytes(std::string_view bytes, AvroReaderOptions options = {}) {
  static FakeFileSystem files;  // Outlives the readers.
  files.put("/f.avro", bytes);
  return AvroContainerReader::open(files, "/f.avro", options).value();
}

void read_events(AvroContainerReader& reader, ReadBack& back) {
  for (;;) {
    auto block = reader.next_block();
    if (!block.ok() || !*block) {
      back.problem += block.ok() ? "" : block.error().message();
      back.end = reader.end();
      back.whole_bytes = reader.whole_bytes();
      return;
    }
    ++back.blocks;
    AvroEvents events(**block);
    AvroEvent event;
    for (auto more = events.next(event);; more = events.next(event)) {
      if (!more.ok()) {
        back.problem += more.error().message();
        break;
      }
      if (!*more) {
        break;
      }
      back.events.push_back({std::string(event.headers), std::string(event.body)});
    }
  }
}

ReadBack read_file(std::string_view bytes, AvroReaderOptions options = {}) {
  AvroContainerReader reader = open_bytes(bytes, options);
  ReadBack back;
  read_events(reader, back);
  return back;
}

// A header, and blocks whose raw bytes the test made.
std::string file_with_block(std::string_view codec, std::int64_t records, std::string_view packed) {
  std::string file(kAvroMagic);
  append_avro_long(file, -2);  // As Avro for C writes its maps.
  append_avro_long(file, 1000);
  append_avro_bytes(file, "avro.schema");
  append_avro_bytes(file, kAvroEventSchema);
  append_avro_bytes(file, "avro.codec");
  append_avro_bytes(file, codec);
  append_avro_long(file, 0);
  file += kMarker;
  append_avro_long(file, records);
  append_avro_bytes(file, packed);
  file += kMarker;
  return file;
}

TEST(AvroContainerTest, GivesBackWhatItWroteWithEachCodec) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (const AvroCodec codec : kCodecs) {
    SCOPED_TRACE(std::string(to_string(codec)));
    const std::vector<OwnedEvent> events = some_events(random, 2'000);
    const std::string file = write_file({codec, 100'000}, events);
    const ReadBack back = read_file(file);
    EXPECT_TRUE(back.events == events);
    EXPECT_EQ(back.end, FileEnd::kBorder);
    EXPECT_EQ(back.whole_bytes, file.size());
    EXPECT_GT(back.blocks, 3U);
    EXPECT_EQ(open_bytes(file).codec(), codec);
    EXPECT_EQ(open_bytes(file).schema(), kAvroEventSchema);
  }
}

TEST(AvroContainerTest, AFileWithoutEventsIsWhole) {
  const ReadBack back = read_file(write_file({}, {}));
  EXPECT_EQ(back.end, FileEnd::kBorder);
  EXPECT_TRUE(back.events.empty());
}

TEST(AvroContainerTest, EndsABlockWithTheEventThatReachesTheInterval) {
  const std::vector<OwnedEvent> events(10, {std::string(kNoHeaders), std::string(98, 'x')});
  EXPECT_EQ(read_file(write_file({AvroCodec::kNull, 304}, events)).blocks, 3U);  // 4 + 4 + 2.
}

TEST(AvroContainerTest, ForgetsADroppedBlock) {
  for (const AvroCodec codec : kCodecs) {
    AvroContainerWriter writer({codec});
    std::string file;
    writer.begin(kMarker, file);
    const std::vector<OwnedEvent> lost(300, {std::string(kNoHeaders), std::string(500, 'l')});
    const std::vector<OwnedEvent> kept{{std::string(kNoHeaders), "kept"}};
    ASSERT_TRUE(writer.append(refs(lost), file).ok());
    writer.drop_block();
    ASSERT_TRUE(writer.append(refs(kept), file).ok());
    ASSERT_TRUE(writer.end_block(file).ok());
    EXPECT_TRUE(read_file(file).events == kept) << to_string(codec);
  }
}

TEST(AvroContainerTest, NamesATornTailWhereverItIsCut) {
  const std::vector<OwnedEvent> events(40, {header_block({{"k", "v"}}), "a body that repeats"});
  const std::string file = write_file({AvroCodec::kSnappy, 200}, events);
  const std::size_t header = write_file({AvroCodec::kSnappy}, {}).size();
  const std::size_t blocks = read_file(file).blocks;
  std::size_t borders = 0;
  for (std::size_t size = 0; size <= file.size(); ++size) {
    const ReadBack back = read_file(file.substr(0, size));
    EXPECT_LE(back.whole_bytes, size);
    if (back.end == FileEnd::kBorder) {
      ++borders;
      EXPECT_EQ(back.whole_bytes, size);
      EXPECT_EQ(back.problem, "");
    } else {
      EXPECT_EQ(back.end, FileEnd::kTorn) << size;
      const std::string place = "/f.avro at byte " + std::to_string(back.whole_bytes);
      EXPECT_EQ(back.problem.substr(0, place.size()), place);
    }
    EXPECT_EQ(back.whole_bytes == 0, size < header);
  }
  EXPECT_EQ(borders, blocks + 1);  // And the one behind the header.
}

TEST(AvroContainerTest, FindsEveryFlippedByteOfASnappyBlock) {
  const std::vector<OwnedEvent> events(20, {header_block({{"k", "v"}}), "a body that repeats"});
  const std::string file = write_file({AvroCodec::kSnappy, 200}, events);
  const std::size_t header = write_file({AvroCodec::kSnappy}, {}).size();
  for (std::size_t at = header; at < file.size(); ++at) {
    std::string damaged = file;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x20);
    AvroContainerReader reader = open_bytes(damaged);
    ReadBack back;
    read_events(reader, back);
    EXPECT_FALSE(back.problem.empty()) << at;
    while (reader.skip_damage().value()) {
      read_events(reader, back);
    }
    // At most the damaged block of 8 events, and the one behind it where the marker was hit, are
    // missing.
    EXPECT_GE(back.events.size(), events.size() - 16) << at;
    EXPECT_LE(back.events.size(), events.size()) << at;
  }
}

TEST(AvroContainerTest, NeverGivesMoreThanThereIsFromDamagedBytes) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (const AvroCodec codec : kCodecs) {
    const std::string file = write_file({codec, 3'000}, some_events(random, 30));
    for (int round = 0; round < 200; ++round) {
      std::string damaged = file;
      for (int flips = 0; flips < 3; ++flips) {
        damaged[random() % damaged.size()] = static_cast<char>(random());
      }
      const ReadBack back = read_file(damaged, {.block_limit = 1 << 20});
      EXPECT_LE(back.whole_bytes, damaged.size());
    }
  }
}

TEST(AvroContainerTest, TakesHeadersInSeveralBlocksWithNegativeCounts) {
  std::string raw;
  append_avro_long(raw, -1);
  append_avro_long(raw, 4);
  append_avro_bytes(raw, "a");
  append_avro_bytes(raw, "1");
  append_avro_long(raw, 1);
  append_avro_bytes(raw, "b");
  append_avro_bytes(raw, "2");
  append_avro_long(raw, 0);
  append_avro_bytes(raw, "body");
  append_avro_long(raw, 0);
  append_avro_bytes(raw, "");
  const ReadBack back = read_file(file_with_block("null", 2, raw));
  const std::vector<OwnedEvent> expected{{header_block({{"a", "1"}, {"b", "2"}}), "body"},
                                         {std::string(kNoHeaders), ""}};
  EXPECT_TRUE(back.events == expected);
  EXPECT_EQ(back.problem, "");
}

TEST(AvroContainerTest, RefusesTheLowestCountOfAll) {
  constexpr auto kLowest = std::numeric_limits<std::int64_t>::min();
  std::string file(kAvroMagic);
  append_avro_long(file, kLowest);
  append_avro_long(file, 8);
  EXPECT_EQ(read_file(file).end, FileEnd::kTorn);
  std::string raw;
  append_avro_long(raw, kLowest);
  append_avro_long(raw, 8);
  EXPECT_NE(read_file(file_with_block("null", 1, raw)).problem, "");
}

TEST(AvroContainerTest, RefusesRecordsThatDoNotFillTheBlock) {
  const std::string_view one("\0\x02x", 3);
  EXPECT_EQ(read_file(file_with_block("null", 1, one)).problem, "");
  EXPECT_NE(read_file(file_with_block("null", 2, one)).problem, "");
  EXPECT_NE(read_file(file_with_block("null", 0, one)).problem, "");
  EXPECT_NE(read_file(file_with_block("null", 9, one)).problem, "");
  EXPECT_NE(read_file(file_with_block("null", -1, one)).problem, "");
}

TEST(AvroContainerTest, RefusesWhatItDoesNotKnow) {
  EXPECT_NE(read_file(file_with_block("lz9", 0, "")).problem.find("unknown codec \"lz9\""),
            std::string::npos);
  EXPECT_EQ(read_file("PK\x03\x04 and more").end, FileEnd::kDamaged);
  std::string other = file_with_block("null", 0, "");
  other.replace(other.find("Event"), 5, "Thing");
  EXPECT_EQ(read_file(other).end, FileEnd::kDamaged);
  EXPECT_EQ(read_file(other, {.any_schema = true}).end, FileEnd::kBorder);
}

TEST(AvroContainerTest, BoundsWhatABlockMayUnpackTo) {
  const std::vector<OwnedEvent> events{{std::string(kNoHeaders), std::string(3 << 20, 'x')}};
  for (const AvroCodec codec : kCodecs) {
    const std::string file = write_file({codec}, events);
    EXPECT_EQ(read_file(file, {.block_limit = 1 << 20}).end, FileEnd::kDamaged);
    EXPECT_TRUE(read_file(file, {.block_limit = 4 << 20}).events == events) << to_string(codec);
  }
}

TEST(AvroContainerTest, AFileThatGrowsGoesOnBehindItsBorder) {
  FakeFileSystem files;
  const std::vector<OwnedEvent> event{{std::string(kNoHeaders), "one"}};
  AvroContainerWriter writer({AvroCodec::kSnappy});
  std::string file;
  writer.begin(kMarker, file);
  files.put("/f.avro", file);
  AvroContainerReader reader = AvroContainerReader::open(files, "/f.avro").value();
  EXPECT_FALSE(reader.next_block().value().has_value());
  ASSERT_TRUE(writer.append(refs(event), file).ok());
  ASSERT_TRUE(writer.end_block(file).ok());
  ASSERT_TRUE(files.open("/f.avro", OpenMode::kReadWrite).value()->write_at(file, 0).ok());
  EXPECT_TRUE(reader.next_block().value().has_value());
}

}  // namespace
}  // namespace millrace
