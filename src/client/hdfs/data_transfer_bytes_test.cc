// The bytes of the data transfer protocol: heads of packets, acks, checksums.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/hdfs/chunk_checksums.h"
#include "client/hdfs/outgoing_packet.h"
#include "client/hdfs/packet_header.h"
#include "client/hdfs/packet_window.h"
#include "client/hdfs/pipeline_ack.h"
#include "client/hdfs/proto/transfer.pb.h"

namespace millrace::hdfs {
namespace {

using ::testing::ElementsAre;

std::string wire_of(const OutgoingPacket& packet, std::size_t from = 0) {
  std::array<iovec, 3> space;
  std::string wire;
  for (const iovec& piece : packet.pieces(from, space)) {
    wire.append(static_cast<const char*>(piece.iov_base), piece.iov_len);
  }
  return wire;
}

PipelineAck ack_of(std::int64_t seqno, std::vector<TransferStatus> replies) {
  return {seqno, std::move(replies)};
}

// Goal: a head is the bytes that generated code reads, and is read back. Method: both ways.
TEST(PacketHeadTest, IsWhatProtocolBuffersSay) {
  const PacketHeader header{
      .offset_in_block = 5'000'000'000, .seqno = 77, .data_bytes = 1000, .sync_block = true};
  const PacketHead head(header, 8);
  const std::string_view bytes = head.bytes();
  const PacketLengths lengths = decode_packet_lengths(bytes.substr(0, kPacketLengthsBytes)).value();
  EXPECT_EQ(lengths.payload_bytes, 1008U);
  ASSERT_EQ(lengths.header_bytes, bytes.size() - kPacketLengthsBytes);
  proto::PacketHeader message;
  ASSERT_TRUE(message.ParseFromString(std::string(bytes.substr(kPacketLengthsBytes))));
  EXPECT_EQ(message.offset_in_block(), 5'000'000'000);
  EXPECT_EQ(message.seqno(), 77);
  EXPECT_FALSE(message.last_packet_in_block());
  EXPECT_EQ(message.data_len(), 1000);
  EXPECT_TRUE(message.sync_block());
  const PacketHeader read = decode_packet_header(message.SerializeAsString()).value();
  EXPECT_EQ(read.offset_in_block, header.offset_in_block);
  EXPECT_EQ(read.seqno, header.seqno);
  EXPECT_EQ(read.data_bytes, header.data_bytes);
  EXPECT_TRUE(read.sync_block);
}

TEST(PacketHeadTest, RefusesWhatNoPacketHas) {
  EXPECT_FALSE(decode_packet_lengths(std::string("\0\0\0\3\0\x19", 6)).ok());
  EXPECT_FALSE(decode_packet_lengths(std::string("\x7F\0\0\4\0\x19", 6)).ok());
  EXPECT_FALSE(decode_packet_lengths(std::string("\0\0\0\4\0\0", 6)).ok());
  EXPECT_FALSE(decode_packet_lengths("abc").ok());
  EXPECT_FALSE(decode_packet_header("").ok());
  const std::string whole(PacketHead({.data_bytes = 4}, 4).bytes().substr(kPacketLengthsBytes));
  ASSERT_TRUE(decode_packet_header(whole).ok());
  for (std::size_t cut = 0; cut < whole.size(); ++cut) {
    EXPECT_FALSE(decode_packet_header(whole.substr(0, cut)).ok()) << cut;
  }
  std::string negative(PacketHead({.offset_in_block = -1}, 0).bytes().substr(kPacketLengthsBytes));
  EXPECT_FALSE(decode_packet_header(negative).ok());
}

TEST(PipelineAckTest, IsReadFromGeneratedBytesTornAnywhere) {
  proto::PipelineAck message;
  message.set_seqno(-1);
  message.add_reply(proto::SUCCESS);
  message.add_reply(proto::ERROR);
  message.set_downstream_ack_time_nanos(1'234'567'890'123);
  std::string bytes(1, static_cast<char>(message.ByteSizeLong()));
  message.AppendToString(&bytes);
  PipelineAck ack;
  for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
    std::string_view torn = std::string_view(bytes).substr(0, cut);
    EXPECT_FALSE(take_pipeline_ack(torn, ack).value()) << cut;
    EXPECT_EQ(torn.size(), cut);
  }
  bytes += "rest";
  std::string_view rest = bytes;
  ASSERT_TRUE(take_pipeline_ack(rest, ack).value());
  EXPECT_EQ(rest, "rest");
  EXPECT_EQ(ack.seqno, -1);
  EXPECT_THAT(ack.replies, ElementsAre(TransferStatus::kSuccess, TransferStatus::kError));
}

TEST(PipelineAckTest, TakesFlagsBeforeReplies) {
  proto::PipelineAck message;
  message.set_seqno(3);
  message.add_reply(proto::SUCCESS);
  message.add_flag(8 | 1 << 5);  // OOB_RESTART, and a mark of congestion.
  std::string bytes(1, static_cast<char>(message.ByteSizeLong()));
  message.AppendToString(&bytes);
  std::string_view rest = bytes;
  PipelineAck ack;
  ASSERT_TRUE(take_pipeline_ack(rest, ack).value());
  EXPECT_THAT(ack.replies, ElementsAre(TransferStatus::kOobRestart));
}

TEST(PipelineAckTest, RefusesWhatIsNone) {
  PipelineAck ack;
  for (const std::string& bytes :
       {std::string(20, '\xFF'), std::string("\x02\x12\x00", 3), std::string("\x80\x80\x08"),
        std::string("\x00", 1), std::string("\x01\x0B")}) {
    std::string_view rest = bytes;
    EXPECT_FALSE(take_pipeline_ack(rest, ack).ok());
  }
}

TEST(PipelineAckTest, IsWrittenAsItIsRead) {
  std::string bytes;
  append_pipeline_ack(bytes, ack_of(1'000'000, {TransferStatus::kSuccess}));
  append_pipeline_ack(bytes, ack_of(-2, {TransferStatus::kOobRestart}));
  std::string_view rest = bytes;
  PipelineAck ack;
  ASSERT_TRUE(take_pipeline_ack(rest, ack).value());
  EXPECT_EQ(ack.seqno, 1'000'000);
  ASSERT_TRUE(take_pipeline_ack(rest, ack).value());
  EXPECT_EQ(ack.seqno, -2);
  EXPECT_TRUE(rest.empty());
}

TEST(ChunkChecksumsTest, SumsEachChunk) {
  const ChunkChecksums sums{ChecksumType::kCrc32c, 9};
  char out[8];
  ASSERT_EQ(sums.bytes_for(18), 8U);
  sums.compute("123456789123456789", out);
  EXPECT_EQ(std::string(out, 8), "\xE3\x06\x92\x83\xE3\x06\x92\x83");
  EXPECT_TRUE(sums.verify("123456789123456789", {out, 8}).ok());
  EXPECT_FALSE(sums.verify("123456789123456780", {out, 8}).ok());
  EXPECT_FALSE(sums.verify("123456789", {out, 8}).ok());
  EXPECT_EQ((ChunkChecksums{ChecksumType::kNull, 9}.bytes_for(100)), 0U);
  EXPECT_TRUE((ChunkChecksums{ChecksumType::kNull, 9}.verify("abc", "").ok()));
  EXPECT_FALSE(checked_checksums(3, 512).ok());
  EXPECT_FALSE(checked_checksums(2, 0).ok());
}

TEST(OutgoingPacketTest, GoesOutFromAnyByte) {
  OutgoingPacket packet(1024, 2000, {});
  packet.append(std::string(1500, 'x'));
  packet.seal(4, false, false);
  const std::string whole = wire_of(packet);
  ASSERT_EQ(whole.size(), packet.wire_size());
  EXPECT_EQ(whole.size(), PacketHead(packet.header(), 12).bytes().size() + 12 + 1500);
  for (std::size_t from = 0; from <= whole.size(); ++from) {
    ASSERT_EQ(wire_of(packet, from), whole.substr(from)) << from;
  }
}

TEST(PacketWindowTest, IsAcknowledgedInOrderAndSentAgain) {
  PacketWindow window(0);
  for (std::int64_t n = 0; n < 3; ++n) {
    OutgoingPacket packet(n * 512, 512, {});
    packet.append(std::string(512, 'a'));
    packet.seal(n, false, false);
    window.push(std::move(packet));
  }
  EXPECT_FALSE(window.acknowledge(0).ok());
  window.sent(window.unsent()->wire_size());
  window.sent(5);
  EXPECT_EQ(window.most_sent(), 1024);
  EXPECT_FALSE(window.acknowledge(1).ok());
  ASSERT_TRUE(window.acknowledge(0).ok());
  EXPECT_EQ(window.acked(), 512);
  EXPECT_TRUE(window.in_the_middle());
  window.rewind();
  EXPECT_FALSE(window.in_the_middle());
  EXPECT_EQ(window.unsent()->offset(), 512);
  EXPECT_FALSE(window.acknowledge(1).ok());
  window.acknowledge_all();
  EXPECT_EQ(window.acked(), 1536);
  EXPECT_EQ(window.memory(), 0U);
}

}  // namespace
}  // namespace millrace::hdfs
