#include "channel/flume_log/record.h"

#include <gtest/gtest.h>

#include "channel/flume_log/flume_log_kit.h"
#include "channel/flume_log/metadata.h"
#include "channel/flume_log/protobuf.h"

namespace millrace::flume_log {
namespace {

std::string payload_of(kit::LogBuilder& log) {
  return log.bytes().substr(kFrameBytes);
}

class FlumeRecordTest : public testing::Test {
 protected:
  std::int64_t order = 99;
  kit::LogBuilder log{1, order};
};

TEST_F(FlumeRecordTest, APutGivesItsEventBack) {
  log.put(7, "body", {{"host", "web-1"}, {"empty", ""}});
  const std::string payload = payload_of(log);
  EXPECT_EQ(payload_length(payload.substr(0, kPayloadHeadBytes)).value(), payload.size());
  const Record record = decode_record(payload).value();
  EXPECT_EQ(record.header.type, RecordType::kPut);
  EXPECT_EQ(record.header.transaction, 7);
  EXPECT_EQ(record.header.order, 100);
  StoredEvent event;
  ASSERT_TRUE(decode_put(record.body, event).ok());
  EXPECT_EQ(event.body, "body");
  EXPECT_EQ(event.headers, (std::vector<Header>{{"host", "web-1"}, {"empty", ""}}));
}

TEST_F(FlumeRecordTest, AHeaderWithoutAValueIsEmpty) {
  const std::string event = kit::bytes_field(1, kit::bytes_field(1, "key")) +
                            kit::bytes_field(2, std::string_view("\0x", 2));
  const std::string put = kit::bytes_field(1, event);
  StoredEvent stored;
  ASSERT_TRUE(decode_put(put, stored).ok());
  EXPECT_EQ(stored.headers, (std::vector<Header>{{"key", ""}}));
  EXPECT_EQ(stored.body, std::string_view("\0x", 2));
}

TEST_F(FlumeRecordTest, AnyFlippedBitOfABodyIsSeen) {
  const std::string good = kit::put_body("some body");
  StoredEvent event;
  ASSERT_TRUE(decode_put(good, event).ok());
  const std::size_t at = good.find("some body");
  for (std::size_t bit = 8 * at; bit < 8 * (at + 9); ++bit) {
    std::string bad = good;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << bit % 8));
    EXPECT_EQ(decode_put(bad, event).error().fault(), Fault::kCorrupt);
  }
}

TEST_F(FlumeRecordTest, ATakeAndACommitSayOfWhat) {
  log.take(1, {3, 0x12345678});
  const std::string take = payload_of(log);
  EXPECT_EQ(decode_take(decode_record(take)->body).value(), (Pointer{3, 0x12345678}));
  log.bytes().clear();
  log.commit(1, RecordType::kTake);
  const std::string commit = payload_of(log);
  EXPECT_EQ(decode_commit(decode_record(commit)->body).value(), RecordType::kTake);
  EXPECT_FALSE(decode_commit(kit::fixed32(1, 3)).ok());
  EXPECT_FALSE(decode_commit({}).ok());
}

TEST_F(FlumeRecordTest, EveryCutOfAPayloadIsRefused) {
  log.put(7, std::string(300, 'x'));
  const std::string payload = payload_of(log);
  ASSERT_TRUE(decode_record(payload).ok());
  for (std::size_t length = 0; length < payload.size(); ++length) {
    EXPECT_FALSE(decode_record(payload.substr(0, length)).ok()) << length;
  }
  EXPECT_FALSE(decode_record(payload + "x").ok());
}

TEST_F(FlumeRecordTest, VarintsOfMoreThan64BitsAreRefused) {
  const std::string endless(11, '\x80');
  ByteReader reader(endless);
  EXPECT_FALSE(read_varint(reader).ok());
  const std::string most = std::string(9, '\xFF') + '\x01';
  ByteReader most_reader(most);
  EXPECT_EQ(read_varint(most_reader).value(), UINT64_MAX);
}

TEST_F(FlumeRecordTest, MetaOfALogSaysFromWhereToReplay) {
  const LogMeta meta =
      decode_log_meta(log.meta(500, 60, kit::fixed64(6, 300) + kit::fixed64(7, 40))).value();
  EXPECT_EQ(meta.log, 1U);
  EXPECT_EQ(meta.replay_from(60), 500U);
  EXPECT_EQ(meta.replay_from(59), 300U);  // An older checkpoint: from the one before.
  EXPECT_EQ(meta.replay_from(39), 0U);
  EXPECT_FALSE(meta.key_alias);
  const std::string encryption = kit::bytes_field(1, "AESCTRNOPADDING") + kit::bytes_field(2, "k1");
  EXPECT_EQ(decode_log_meta(log.meta(0, 0, kit::bytes_field(5, encryption)))->key_alias, "k1");
  EXPECT_FALSE(decode_log_meta({}).ok());
  EXPECT_FALSE(decode_log_meta(kit::delimited(kit::fixed32(1, 3))).ok());
}

}  // namespace
}  // namespace millrace::flume_log
