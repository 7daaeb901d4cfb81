// One connection of a DataNode for tests: a block that is written, read or copied.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "client/hdfs/data_socket.h"
#include "client/hdfs/fake_replicas.h"
#include "client/hdfs/outgoing_packet.h"
#include "client/hdfs/pipeline_ack.h"
#include "client/hdfs/proto/transfer.pb.h"
#include "client/hdfs/proto_wire.h"

namespace millrace::hdfs::testing_kit {

// Speaks the data transfer protocol, and checks what it is given as a DataNode does. It stands for
// the whole of a pipeline. `replicas` and `stop` outlive it. Threads: one.
class FakeTransfer {
 public:
  FakeTransfer(DataSocket socket, FakeReplicas& replicas, std::function<Trouble()> next_trouble,
               const std::atomic<bool>& stop)
      : socket_(std::move(socket)),
        replicas_(replicas),
        next_trouble_(std::move(next_trouble)),
        stop_(stop) {}

  Result<> serve() {
    char head[3];
    TRY(socket_.receive_all(head, patience()));
    EXPECT_EQ(head[0] * 256 + head[1], 28);
    const std::string message = TRY(socket_.receive_message(kMostAnswerBytes, patience()));
    trouble_ = head[2] == kTransferBlock ? Trouble() : next_trouble_();
    switch (head[2]) {
      case kWriteBlock:
        return take_block(message);
      case kReadBlock:
        return give_block(message);
      default:
        EXPECT_EQ(head[2], kTransferBlock);
        return copy_block();
    }
  }

 private:
  using Kind = Trouble::Kind;
  enum Operation : char { kWriteBlock = 80, kReadBlock = 81, kTransferBlock = 86 };

  Patience patience() const {
    return {std::chrono::steady_clock::now() + std::chrono::seconds(60), &stop_};
  }

  Result<> answer(const google::protobuf::MessageLite& message) {
    std::string bytes;
    append_varint(bytes, message.ByteSizeLong());
    message.AppendToString(&bytes);
    return socket_.send_all(bytes, patience());
  }

  Result<> copy_block() {
    {
      const std::lock_guard lock(replicas_.mutex);
      ++replicas_.copies;
    }
    proto::BlockOpResponse response;
    response.set_status(proto::SUCCESS);
    return answer(response);
  }

  Result<> take_block(const std::string& message) {
    proto::OpWriteBlock request;
    EXPECT_TRUE(request.ParseFromString(message));
    proto::BlockOpResponse response;
    response.set_status(proto::SUCCESS);
    if (trouble_.kind == Kind::kRefuse) {
      response.set_status(proto::ERROR);
      response.set_first_bad_link(
          trouble_.node == 0
              ? ""
              : "127.0.0.1:" +
                    std::to_string(
                        request.targets(static_cast<int>(trouble_.node) - 1).id().xfer_port()));
      return answer(response);
    }
    open_replica(request);
    TRY(answer(response));
    const std::uint64_t id = request.header().base_header().block().block_id();
    for (std::size_t packets = 0;; ++packets) {
      if (!TRY(take_packet(id, request.pipeline_size(), packets))) {
        return {};
      }
    }
  }

  void open_replica(const proto::OpWriteBlock& request) {
    const std::lock_guard lock(replicas_.mutex);
    const proto::ExtendedBlock& block = request.header().base_header().block();
    FakeReplica& replica = replicas_.blocks[block.block_id()];
    const auto stage = static_cast<PipelineStage>(request.stage());
    replicas_.stages.push_back(stage);
    if (stage != PipelineStage::kSetupCreate) {
      EXPECT_GE(replica.bytes.size(), request.min_bytes_rcvd());
      EXPECT_LE(replica.bytes.size(), request.max_bytes_rcvd());
      EXPECT_GT(request.latest_generation_stamp(), replica.generation_stamp);
      EXPECT_GE(replica.generation_stamp, block.generation_stamp());
      replica.generation_stamp = request.latest_generation_stamp();
      replica.finalized = stage == PipelineStage::kCloseRecovery;
    } else {
      replica.generation_stamp = block.generation_stamp();
    }
  }

  // False when nothing more is taken.
  Result<bool> take_packet(std::uint64_t id, std::size_t nodes, std::size_t taken) {
    std::string head(kPacketLengthsBytes, '\0');
    TRY(socket_.receive_all(head, patience()));
    const PacketLengths lengths = TRY(decode_packet_lengths(head));
    std::string header_bytes(lengths.header_bytes, '\0');
    TRY(socket_.receive_all(header_bytes, patience()));
    const PacketHeader header = TRY(decode_packet_header(header_bytes));
    std::string payload(lengths.payload_bytes, '\0');
    TRY(socket_.receive_all(payload, patience()));
    const bool struck = trouble_.kind != Kind::kNone && taken >= trouble_.packets;
    if (header.seqno == kHeartbeatSeqno) {
      const std::lock_guard lock(replicas_.mutex);
      ++replicas_.heartbeats;
    } else if (!struck || trouble_.kind == Kind::kSilence) {
      store(id, header, payload);
    }
    if (struck && trouble_.kind == Kind::kEnd) {
      return false;
    }
    if (struck && trouble_.kind == Kind::kSilence) {
      return true;
    }
    TRY(acknowledge(header.seqno, nodes, struck));
    if (struck) {
      drain();
    }
    return !struck && !header.last_in_block;
  }

  // Ends with the peer: unread bytes at the end of a connection would take the ack away with them.
  void drain() {
    std::array<char, 4096> waste;
    while (socket_.receive_some(waste).ok() && socket_.wait(false, patience()).ok()) {
    }
  }

  Result<> acknowledge(std::int64_t seqno, std::size_t nodes, bool struck) {
    const Kind kind = struck ? trouble_.kind : Kind::kNone;
    PipelineAck ack{seqno, std::vector<TransferStatus>(nodes, TransferStatus::kSuccess)};
    if (kind == Kind::kBadAck) {
      ack.replies[trouble_.node] = TransferStatus::kError;
    } else if (kind == Kind::kRestart) {
      ack = {-2, {TransferStatus::kOobRestart}};
    } else if (kind == Kind::kWrongSeqno) {
      ack.seqno += 7;
    }
    std::string bytes;
    append_pipeline_ack(bytes, ack);
    if (kind == Kind::kGarbage) {
      bytes.assign(64, '\xFF');
    }
    for (std::size_t at = 0; trouble_.torn_acks && at + 1 < bytes.size(); ++at) {
      TRY(socket_.send_all({bytes.data() + at, 1}, patience()));
    }
    return socket_.send_all(
        trouble_.torn_acks ? std::string_view(bytes).substr(bytes.size() - 1) : bytes, patience());
  }

  // As a DataNode does: what it has already stays, the rest is added, and every byte fits its
  // checksum.
  void store(std::uint64_t id, const PacketHeader& header, std::string_view payload) {
    const ChunkChecksums checksums;
    const std::size_t sums = payload.size() - header.data_bytes;
    const std::string_view data = payload.substr(sums);
    EXPECT_TRUE(checksums.verify(data, payload.substr(0, sums)).ok());
    const auto offset = static_cast<std::size_t>(header.offset_in_block);
    if (offset % checksums.bytes_per_chunk != 0) {
      EXPECT_LE(offset % checksums.bytes_per_chunk + data.size(), checksums.bytes_per_chunk);
    }
    const std::lock_guard lock(replicas_.mutex);
    FakeReplica& replica = replicas_.blocks[id];
    EXPECT_FALSE(replica.finalized);
    EXPECT_LE(offset, replica.bytes.size());
    const std::size_t known = std::min(replica.bytes.size() - offset, data.size());
    EXPECT_EQ(replica.bytes.substr(offset, known), data.substr(0, known));
    replica.bytes.append(data.substr(known));
    replica.synced = header.sync_block ? replica.bytes.size() : replica.synced;
    replica.finalized = header.last_in_block;
    ++replicas_.packets;
  }

  Result<> give_block(const std::string& message) {
    proto::OpReadBlock request;
    EXPECT_TRUE(request.ParseFromString(message));
    proto::BlockOpResponse response;
    response.set_status(trouble_.kind == Kind::kRefuse ? proto::ERROR : proto::SUCCESS);
    const std::uint64_t chunk = 512;
    const std::uint64_t begin = request.offset() / chunk * chunk;
    proto::ReadOpChecksumInfo& info = *response.mutable_read_op_checksum_info();
    info.set_chunk_offset(begin);
    info.mutable_checksum()->set_type(proto::CHECKSUM_CRC32C);
    info.mutable_checksum()->set_bytes_per_checksum(512);
    TRY(answer(response));
    if (trouble_.kind == Kind::kRefuse) {
      return {};
    }
    const std::string bytes = replicas_.of(request.header().base_header().block().block_id()).bytes;
    return give_packets(std::string_view(bytes).substr(0, request.offset() + request.len()), begin);
  }

  Result<> give_packets(std::string_view bytes, std::uint64_t begin) {
    std::int64_t seqno = 0;
    for (std::uint64_t at = begin; at <= bytes.size();) {
      const bool last = at == bytes.size();
      OutgoingPacket packet(static_cast<std::int64_t>(at),
                            last ? 0 : std::min<std::size_t>(4096, bytes.size() - at), {});
      packet.append(bytes.substr(at, packet.room()));
      packet.seal(seqno, last, false);
      std::array<iovec, 3> space;
      std::string wire;
      for (const iovec& piece : packet.pieces(0, space)) {
        wire.append(static_cast<const char*>(piece.iov_base), piece.iov_len);
      }
      if (trouble_.kind == Kind::kEnd && seqno >= static_cast<std::int64_t>(trouble_.packets)) {
        return {};
      }
      if (trouble_.kind == Kind::kGarbage && seqno >= static_cast<std::int64_t>(trouble_.packets)) {
        wire[wire.size() / 2] = static_cast<char>(wire[wire.size() / 2] ^ 1);
      }
      TRY(socket_.send_all(wire, patience()));
      at += packet.size();
      if (last) {
        break;
      }
      ++seqno;
    }
    TRY(socket_.receive_message(100, patience()));
    const std::lock_guard lock(replicas_.mutex);
    ++replicas_.packets;
    return {};
  }

  DataSocket socket_;
  FakeReplicas& replicas_;
  const std::function<Trouble()> next_trouble_;
  const std::atomic<bool>& stop_;
  Trouble trouble_;  // What this connection meets.
};

}  // namespace millrace::hdfs::testing_kit
