#include "channel/file/segment_reader.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "channel/file/group_writer.h"
#include "core/testing.h"
#include "io/fake_file_system.h"

namespace millrace::file_channel {
namespace {

using testing_kit::TestEvent;

constexpr std::uint64_t kGeneration = 0xABCDEF;

class SegmentReaderTest : public testing::Test {
 protected:
  // Appends the group to the segment.
  void write(GroupWriter& group) {
    for (const iovec& piece : group.pieces(kGeneration, {})) {
      bytes_.append(static_cast<const char*>(piece.iov_base), piece.iov_len);
    }
    EXPECT_EQ(bytes_.size() % kBlock, 0U);
    group.clear();
  }
  void put_group(EventNumber first, const BatchPtr& batch) {
    GroupWriter group;
    ASSERT_TRUE(group.add_put(first, *batch, 1));
    write(group);
  }
  const File& file() {
    files_.put("/d/f", bytes_);
    file_ = std::move(files_.open("/d/f", OpenMode::kRead)).value();
    return *file_;
  }
  // All events, by their numbers, read `step` bytes at a time.
  std::map<EventNumber, TestEvent> load_all(std::size_t step) {
    std::map<EventNumber, TestEvent> events;
    const File& source = file();
    EventNumber least = 0;
    for (std::uint64_t at = kFirstRecord; at < bytes_.size();) {
      auto loaded = load_events(source, kGeneration, at, bytes_.size(), least, step, slabs_.pool());
      EXPECT_TRUE(loaded.ok());
      for (const LoadedRun& run : loaded->runs) {
        for (std::size_t i = 0; i < run.batch->size(); ++i) {
          const EventRef& event = (*run.batch)[i];
          events[run.first + i] = {std::string(event.body()), testing_kit::headers_of(event)};
        }
      }
      lost_ += loaded->damaged_events.size();
      EXPECT_GT(loaded->next, at);
      at = loaded->next;
      least = loaded->next_number;
    }
    return events;
  }

  testing_kit::Slabs slabs_;
  FakeFileSystem files_;
  std::unique_ptr<File> file_;
  std::string bytes_ = std::string(kFirstRecord, '\0');
  std::size_t lost_ = 0;
};

// Goal: what is written is read, whatever the batches look like and wherever reads end. Method:
// random groups of puts and acknowledgements, batches sliced and picked, read in steps of several
// sizes.
TEST_F(SegmentReaderTest, ReadsWhatTheWriterWrote) {
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  std::map<EventNumber, TestEvent> expected;
  EventNumber next = 7;
  std::vector<BatchPtr> kept;
  for (int groups = 0; groups < 30; ++groups) {
    GroupWriter group;
    for (std::size_t records = 1 + random() % 5; records > 0; --records) {
      std::vector<TestEvent> events;
      for (std::size_t i = 1 + random() % 40; i > 0; --i) {
        TestEvent event{std::string(random() % (random() % 10 == 0 ? 9000 : 300), 'x'), {}};
        for (std::size_t h = random() % 3; h > 0; --h) {
          event.headers.emplace_back("key" + std::to_string(h), std::to_string(random() % 3));
        }
        events.push_back(event);
      }
      BatchPtr batch = slabs_.batch_of(events);
      if (random() % 3 == 0) {
        batch = batch->slice(random() % batch->size(), batch->size());
        events.erase(events.begin(), events.end() - static_cast<std::ptrdiff_t>(batch->size()));
      }
      kept.push_back(batch);
      ASSERT_TRUE(group.add_put(next, *batch, 1));
      for (const TestEvent& event : events) {
        expected[next++] = event;
      }
      next += random() % 2 * 10;  // Another dir has these.
      if (random() % 2 == 0) {
        const EventRange ranges[] = {{1, 5}, {9, 12}};
        group.add_acknowledgement(ranges, 3, {});
      }
    }
    write(group);
  }
  for (const std::size_t step : {std::size_t{100}, std::size_t{5000}, std::size_t{1} << 20}) {
    const auto loaded = load_all(step);
    ASSERT_EQ(loaded.size(), expected.size());
    for (const auto& [number, event] : expected) {
      ASSERT_EQ(loaded.at(number).body, event.body);
      ASSERT_EQ(loaded.at(number).headers, event.headers);
    }
  }
  EXPECT_EQ(lost_, 0U);
}

TEST_F(SegmentReaderTest, ARecordCutInItsIndexHasLostAllItsEventsInOneRange) {
  constexpr std::size_t kEvents = 10'000;
  put_group(7, slabs_.batch_of(std::vector<TestEvent>(kEvents, {"body", {}})));
  bytes_.resize(kFirstRecord + sizeof(RecordHeader) + 3 * sizeof(IndexEntry) + 1);
  const std::uint64_t end = kFirstRecord + 1'000'000;
  auto loaded = load_events(file(), kGeneration, kFirstRecord, end, 0, 4096, slabs_.pool());
  ASSERT_TRUE(loaded.ok());
  EXPECT_TRUE(loaded->runs.empty());
  EXPECT_EQ(loaded->damaged_events, (std::vector<EventRange>{{7, 7 + kEvents}}));
  EXPECT_EQ(loaded->next_number, 7 + kEvents);
}

TEST_F(SegmentReaderTest, EventsOfOneHeaderBlockShareItInTheLog) {
  EventBatch::Builder builder(slabs_.space());
  const std::string_view block =
      builder.store_header_block(HeaderEditor("\x02\x06key\x08long\x00").encode() + std::string());
  for (int i = 0; i < 100; ++i) {
    builder.add(builder.store_body("body"), block);
  }
  put_group(0, builder.seal());
  RecordHeader header;
  std::memcpy(&header, bytes_.data() + kFirstRecord, sizeof header);
  EXPECT_EQ(header.headers_bytes, block.size());
  EXPECT_EQ(header.length, sizeof header + 100 * sizeof(IndexEntry) + block.size() + 400);
}

TEST_F(SegmentReaderTest, LineEndsAndPrefixesLieBetweenTheBodies) {
  EventBatch::Builder builder(slabs_.space());
  const std::string_view text = builder.store_body("<13>one\n<13>two\n");
  builder.add(text.substr(4, 3));
  builder.add(text.substr(12, 3));
  put_group(5, builder.seal());
  const auto events = load_all(1 << 20);
  EXPECT_EQ(events.at(5).body, "one");
  EXPECT_EQ(events.at(6).body, "two");
}

TEST_F(SegmentReaderTest, ScansHeadersAndAcknowledgements) {
  const BatchPtr batch = slabs_.numbered(10);
  GroupWriter group;
  ASSERT_TRUE(group.add_put(100, *batch, 1));
  const EventRange ranges[] = {{3, 4}, {50, 99}};
  Intents intents;
  intents.add({"k1", 3, "an intent"});
  group.add_acknowledgement(ranges, 17, {400, 9}, intents);
  write(group);
  bytes_.resize(bytes_.size() + 10 * kBlock);  // The rest of the segment.
  SegmentScanner scanner(file(), kGeneration, kFirstRecord, UINT64_MAX);
  const auto put = scanner.next().value();
  ASSERT_TRUE(put);
  EXPECT_EQ(put->header.first, 100U);
  EXPECT_EQ(put->header.entries, 10U);
  const auto ack = scanner.next().value();
  ASSERT_TRUE(ack);
  EXPECT_EQ(ack->header.dropped, 17U);
  EXPECT_EQ(ack->header.first, 400U);  // Below it nine are void.
  EXPECT_EQ(ack->header.time_ms, 9);
  const Acknowledged acknowledged = scanner.acknowledged(*ack).value();
  EXPECT_EQ(acknowledged.events, (std::vector<EventRange>{{3, 4}, {50, 99}}));
  EXPECT_EQ(acknowledged.intents.encode(), intents.encode());
  EXPECT_FALSE(scanner.next().value());
  EXPECT_EQ(scanner.end_of_records(), 2 * kBlock);
  EXPECT_TRUE(scanner.damaged().empty());
  EXPECT_FALSE(scanner.incomplete());
}

TEST_F(SegmentReaderTest, RecordsOfAnEarlierGenerationAreNothing) {
  put_group(0, slabs_.numbered(3));
  SegmentScanner scanner(file(), kGeneration + 1, kFirstRecord, UINT64_MAX);
  EXPECT_FALSE(scanner.next().value());
  EXPECT_EQ(scanner.end_of_records(), kFirstRecord);
}

// Goal: whatever byte is hit, only events of the record hit are lost, and those that come are as
// they were put. Method: every byte of a small segment flipped in turn.
TEST_F(SegmentReaderTest, NoFlippedByteCostsMoreThanItsRecordOrBringsAWrongEvent) {
  GroupWriter group;
  const BatchPtr first = slabs_.batch_of({{"alpha", {{"k", "v"}}}, {"beta", {}}});
  const BatchPtr second = slabs_.batch_of({{"gamma", {}}});
  ASSERT_TRUE(group.add_put(0, *first, 1));
  ASSERT_TRUE(group.add_put(2, *second, 1));
  write(group);
  put_group(3, slabs_.batch_of({{"delta", {}}}));
  const std::string original = bytes_;
  const auto expected = load_all(1 << 20);
  ASSERT_EQ(expected.size(), 4U);
  for (std::size_t at = kFirstRecord; at < original.size(); ++at) {
    bytes_ = original;
    bytes_[at] = static_cast<char>(bytes_[at] ^ 0x20);
    const auto events = load_all(1 << 20);
    for (const auto& [number, event] : events) {
      ASSERT_EQ(event.body, expected.at(number).body) << "byte " << at;
      ASSERT_EQ(event.headers, expected.at(number).headers) << "byte " << at;
    }
    ASSERT_TRUE(at < 2 * kBlock ? events.contains(3) : events.contains(0) && events.contains(2))
        << "byte " << at;
    ASSERT_GE(events.size(), 2U) << "byte " << at;
  }
}

}  // namespace
}  // namespace millrace::file_channel
