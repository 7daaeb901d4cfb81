// Encrypted records as they lie in a segment: written, read, cut off and tampered with.
#include "channel/file/sealing.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>

#include "channel/file/group_writer.h"
#include "channel/file/sealer.h"
#include "channel/file/segment_reader.h"
#include "core/testing.h"
#include "io/fake_file_system.h"

namespace millrace::file_channel {
namespace {

constexpr std::uint64_t kGeneration = 0xABCDEF;

class SealingTest : public testing::Test {
 protected:
  SealingTest() { sealer_.enter(*key_); }

  // Appends the group to the segment.
  void write(GroupWriter& group) {
    const iovec sealed = sealer_.seal(group.pieces(kGeneration, {}), 0, bytes_.size());
    bytes_.append(static_cast<const char*>(sealed.iov_base), sealed.iov_len);
    ASSERT_EQ(bytes_.size() % kBlock, 0U);
  }
  void put(EventNumber first, const BatchPtr& batch) {
    GroupWriter group;
    group.clear(true);
    ASSERT_TRUE(group.add_put(first, *batch, 0));
    write(group);
  }
  const File& file() {
    files_.put("/d/f", bytes_);
    file_ = std::move(files_.open("/d/f", OpenMode::kRead)).value();
    return *file_;
  }
  std::map<EventNumber, std::string> load_all(std::size_t step = 1 << 20) {
    std::map<EventNumber, std::string> bodies;
    const File& source = file();
    EventNumber least = 0;
    for (std::uint64_t at = kFirstRecord; at < bytes_.size();) {
      auto loaded = load_events(source, {kGeneration, key_.get()}, at, bytes_.size(), least, step,
                                slabs_.pool());
      EXPECT_TRUE(loaded.ok());
      for (const LoadedRun& run : loaded->runs) {
        for (std::size_t i = 0; i < run.batch->size(); ++i) {
          const EventRef& event = (*run.batch)[i];
          bodies[run.first + i] = std::string(event.body());
          for (const auto& [name, value] : testing_kit::headers_of(event)) {
            bodies[run.first + i].append(" ").append(name).append("=").append(value);
          }
        }
      }
      EXPECT_GT(loaded->next, at);
      at = loaded->next;
      least = loaded->next_number;
    }
    return bodies;
  }
  std::vector<EventRange> acknowledged() {
    SegmentScanner scanner(file(), {kGeneration, key_.get()}, kFirstRecord, UINT64_MAX);
    std::vector<EventRange> all;
    while (const auto record = scanner.next().value()) {
      if (record->header.magic == kAckMagic) {
        const auto acknowledged = scanner.acknowledged(*record);
        if (acknowledged.ok()) {
          const std::vector<EventRange>& events = acknowledged.value().events;
          all.insert(all.end(), events.begin(), events.end());
        }
      }
    }
    return all;
  }

  const SecretBytes named_key_{std::string_view("0123456789abcdef")};
  const SegmentKeyPtr key_ = SegmentKey::make(named_key_, "k1");
  Sealer sealer_;
  testing_kit::Slabs slabs_;
  FakeFileSystem files_;
  std::unique_ptr<File> file_;
  std::string bytes_ = std::string(kFirstRecord, '\0');
};

TEST_F(SealingTest, PayloadsAndTheirTagsFitTogether) {
  for (const std::uint64_t payload : {std::uint64_t{0}, std::uint64_t{1}, kSealedChunk - 1,
                                      kSealedChunk, kSealedChunk + 1, 10 * kSealedChunk}) {
    EXPECT_EQ(sealed_payload(payload + tag_bytes(payload)), payload);
  }
  EXPECT_FALSE(sealed_payload(15));
  EXPECT_FALSE(sealed_payload(kSealedChunk + 16 + 16));  // A second chunk without a byte.
}

TEST_F(SealingTest, WhatIsSealedIsReadAndNothingOfItStandsInTheSegment) {
  put(7, slabs_.batch_of({{"a secret body", {{"host", "web-1"}}}, {"another body", {}}}));
  GroupWriter group;
  group.clear(true);
  const EventRange ranges[] = {{3, 5}, {7, 8}};
  group.add_acknowledgement(ranges, 2, {});
  write(group);
  for (const char* text : {"secret", "body", "host", "web-1"}) {
    EXPECT_EQ(bytes_.find(text), std::string::npos) << text;
  }
  EXPECT_EQ(load_all(), (std::map<EventNumber, std::string>{{7, "a secret body host=web-1"},
                                                            {8, "another body"}}));
  EXPECT_EQ(acknowledged(), (std::vector<EventRange>{{3, 5}, {7, 8}}));
}

TEST_F(SealingTest, RecordsOfManyChunksAreReadInSteps) {
  const std::string large(3 * kSealedChunk, 'x');
  put(0, slabs_.batch_of({{large + "1", {}}, {"small", {}}, {large + "2", {}}}));
  put(3, slabs_.numbered(1000));
  for (const std::size_t step : {std::size_t{100}, std::size_t{100'000}, std::size_t{1} << 20}) {
    const auto events = load_all(step);
    ASSERT_EQ(events.size(), 1003U);
    EXPECT_EQ(events.at(0), large + "1");
    EXPECT_EQ(events.at(2), large + "2");
    EXPECT_EQ(events.at(1002), "e999");
  }
}

// Goal: damage costs the events whose bytes share a chunk with it. Method: events of 1,000 bytes
// over several chunks, and one byte in the middle of the bodies flipped.
TEST_F(SealingTest, DamageCostsAChunk) {
  put(0, slabs_.numbered(400, std::string(1000, 'x')));
  ASSERT_EQ(load_all().size(), 400U);
  bytes_[kFirstRecord + 200'000] ^= 1;
  const std::size_t left = load_all().size();
  EXPECT_GE(left, 400 - kSealedChunk / 1000 - 3);
  EXPECT_LT(left, 400U);
}

// Goal: no event with a part that was not authenticated comes out, even if its checksum fits.
// Method: a body of zeros, which is what a damaged chunk reads as.
TEST_F(SealingTest, AChecksumThatFitsByChanceDoesNotCount) {
  put(0, slabs_.batch_of({{"first", {}}, {std::string(3 * kSealedChunk, '\0'), {}}, {"last", {}}}));
  bytes_[kFirstRecord + kSealedChunk + 30'000] ^= 1;  // In its second chunk.
  const auto events = load_all();
  EXPECT_EQ(events.size(), 2U);
  EXPECT_EQ(events.at(0), "first");
  EXPECT_EQ(events.at(2), "last");
}

TEST_F(SealingTest, OfARecordThatIsCutOffTheWholeChunksAreRead) {
  put(0, slabs_.numbered(400, std::string(1000, 'x')));
  bytes_.resize(kFirstRecord + 300'000);
  const std::size_t left = load_all().size();
  EXPECT_GE(left, 300U - 2 * 66);
  EXPECT_LT(left, 300U);
}

// Goal: whoever changes a byte cannot make an event another one, or have one forgotten. Method:
// every byte flipped in turn, and those of record headers with their CRC put right afterwards.
TEST_F(SealingTest, NoFlippedByteBringsAWrongEventOrAcknowledgement) {
  put(0, slabs_.batch_of({{"alpha", {{"k", "v"}}}, {"beta", {}}}));
  GroupWriter group;
  group.clear(true);
  const EventRange ranges[] = {{100, 200}};
  group.add_acknowledgement(ranges, 2, {});
  write(group);
  const std::uint64_t ack_at = bytes_.size() - kBlock;
  put(2, slabs_.batch_of({{"gamma", {}}}));
  const std::string original = bytes_;
  const auto expected = load_all();
  ASSERT_EQ(expected.size(), 3U);
  std::size_t refused = 0;
  const auto look = [&](std::uint64_t at) {
    for (const auto& [number, body] : load_all()) {
      ASSERT_TRUE(expected.contains(number)) << "byte " << at;
      ASSERT_EQ(body, expected.at(number)) << "byte " << at;
    }
    for (const EventRange& range : acknowledged()) {
      ASSERT_EQ(range, (EventRange{100, 200})) << "byte " << at;
    }
    refused += load_all().size() < 3 || acknowledged().empty() ? 1 : 0;
  };
  for (std::uint64_t at = kFirstRecord; at < original.size(); ++at) {
    if ((at - kFirstRecord) % kBlock >= 300) {
      continue;  // Padding.
    }
    bytes_ = original;
    bytes_[at] = static_cast<char>(bytes_[at] ^ 0x20);
    look(at);
    const std::uint64_t record = at / kBlock * kBlock;
    if (at - record >= offsetof(RecordHeader, length) && at - record < sizeof(RecordHeader)) {
      const std::size_t before = refused;
      seal_record_header(bytes_.data() + record, kGeneration);
      look(at);
      EXPECT_EQ(refused, before + 1) << "byte " << at - record << " of the header at " << record;
    }
  }
  bytes_ = original;
  bytes_.replace(ack_at, kBlock,
                 original.substr(kFirstRecord, kBlock));  // A record at another's place.
  look(ack_at);
  EXPECT_GT(refused, 200U);
}

TEST_F(SealingTest, ARecordInClearTextDoesNotCountInAnEncryptedSegment) {
  GroupWriter group;
  const EventRange ranges[] = {{0, 1000}};
  group.add_acknowledgement(ranges, 0, {});
  for (const iovec& piece : group.pieces(kGeneration, {})) {
    bytes_.append(static_cast<const char*>(piece.iov_base), piece.iov_len);
  }
  EXPECT_TRUE(acknowledged().empty());
}

TEST_F(SealingTest, AnotherKeyOpensNothing) {
  put(0, slabs_.numbered(3));
  const SegmentKeyPtr other = SegmentKey::make(named_key_, "k1");  // Another salt.
  auto loaded = load_events(file(), {kGeneration, other.get()}, kFirstRecord, bytes_.size(), 0,
                            1 << 20, slabs_.pool());
  EXPECT_TRUE(loaded->runs.empty());
  EXPECT_EQ(loaded->damaged_events, (std::vector<EventRange>{{0, 3}}));
}

TEST_F(SealingTest, NoPlaceIsSealedTwice) {
  GroupWriter group;
  group.clear(true);
  ASSERT_TRUE(group.add_put(0, *slabs_.numbered(1), 0));
  sealer_.seal(group.pieces(kGeneration, {}), 0, kFirstRecord);
  EXPECT_DEATH(sealer_.seal(group.pieces(kGeneration, {}), 0, kFirstRecord), "sealed_to_");
}

TEST_F(SealingTest, ASegmentHeaderTellsItsKey) {
  const SegmentHeader plain{.generation = 5, .order = 9};
  std::string block = encode_segment_header(plain);
  seal_segment_header(block, *key_);
  ASSERT_EQ(block.size(), kBlock);
  const auto header = decode_segment_header(block).value();
  ASSERT_TRUE(header);
  EXPECT_EQ(header->version, kSealedVersion);
  EXPECT_EQ(header->order, 9U);
  const auto seal = decode_seal_header(block);
  ASSERT_TRUE(seal);
  EXPECT_EQ(seal->name(), "k1");
  EXPECT_EQ(SegmentKey(named_key_, *seal).check_of(*header), seal->check);
  const SecretBytes wrong{std::string_view("0123456789abcdeF")};
  EXPECT_NE(SegmentKey(wrong, *seal).check_of(*header), seal->check);
  SegmentHeader changed = *header;
  changed.previous_end += kBlock;
  EXPECT_NE(SegmentKey(named_key_, *seal).check_of(changed), seal->check);
  for (std::size_t at = sizeof(SegmentHeader); at < sizeof(SegmentHeader) + sizeof(SealHeader);
       ++at) {
    std::string bad = block;
    bad[at] = static_cast<char>(bad[at] ^ 4);
    EXPECT_FALSE(decode_seal_header(bad)) << at;
  }
  EXPECT_FALSE(decode_seal_header(block.substr(0, 391)));
}

}  // namespace
}  // namespace millrace::file_channel
