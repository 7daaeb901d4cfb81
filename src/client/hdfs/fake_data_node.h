// DataNodes for tests: what they hold, and what goes wrong with them.
#pragma once

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "client/hdfs/data_socket.h"
#include "client/hdfs/outgoing_packet.h"
#include "client/hdfs/pipeline_ack.h"
#include "client/hdfs/proto/transfer.pb.h"
#include "client/hdfs/proto_wire.h"
#include "client/hdfs/transfer_messages.h"
#include "io/sockets.h"

namespace millrace::hdfs::testing_kit {

// What the next connection to a DataNode meets. It fails after so many packets.
struct Trouble {
  enum class Kind {
    kNone,
    kRefuse,      // The set-up fails and blames `node`.
    kBadAck,      // The ack blames `node`.
    kEnd,         // The connection ends.
    kSilence,     // Nothing is acknowledged any more.
    kRestart,     // Out of band: it restarts.
    kGarbage,     // The ack is none.
    kWrongSeqno,  // The ack is another packet's.
  };
  Kind kind = Kind::kNone;
  std::size_t packets = 0;
  std::size_t node = 0;
  bool torn_acks = false;  // They come byte by byte.
};

struct FakeReplica {
  std::string bytes;
  std::uint64_t generation_stamp = 0;
  bool finalized = false;
  std::size_t synced = 0;  // Bytes.
};

// What all DataNodes of a test hold of each block: one copy stands for all of a pipeline.
struct FakeReplicas {
  std::mutex mutex;  // Guards the rest.
  std::map<std::uint64_t, FakeReplica> blocks;
  std::vector<PipelineStage> stages;  // Of the pipelines that were set up.
  std::size_t heartbeats = 0;
  std::size_t copies = 0;  // OpTransferBlock.
  std::size_t packets = 0;

  FakeReplica of(std::uint64_t block) {
    const std::lock_guard lock(mutex);
    return blocks[block];
  }
};

// Speaks the data transfer protocol on a port of its own, each connection on a thread, and checks
// what it is given as a DataNode does.
class FakeDataNode {
 public:
  explicit FakeDataNode(FakeReplicas& replicas)
      : replicas_(replicas), listener_(std::move(listen_on("127.0.0.1", 0, 0)).value()) {
    acceptor_ = std::jthread([this](const std::stop_token& stop) { accept_all(stop); });
  }
  ~FakeDataNode() { stop(); }

  std::uint16_t port() const { return local_port_of(listener_.get()); }
  DatanodeInfo info() const {
    DatanodeInfo info;
    info.id = {"127.0.0.1", "localhost", "uuid-" + std::to_string(port()), port(), 1, 2, 0};
    info.location = "/rack";
    return info;
  }
  void meets(Trouble trouble) {
    const std::lock_guard lock(mutex_);
    troubles_.push_back(trouble);
  }
  // Neither answers nor accepts any more.
  void stop() {
    stopping_ = true;
    acceptor_.request_stop();
    if (acceptor_.joinable()) {
      acceptor_.join();
    }
    connections_.clear();
    listener_ = Descriptor();
  }

 private:
  using Kind = Trouble::Kind;

  void accept_all(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      Descriptor accepted(
          ::accept4(listener_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
      if (accepted) {
        connections_.emplace_back(
            [this, socket = DataSocket::adopt(std::move(accepted), "client")]() mutable {
              static_cast<void>(serve(socket));
            });
      } else {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    }
  }

  Patience patience() const {
    return {std::chrono::steady_clock::now() + std::chrono::seconds(60), &stopping_};
  }

  Result<> serve(DataSocket& socket) {
    char head[3];
    TRY(socket.receive_all(head, patience()));
    EXPECT_EQ(head[0] * 256 + head[1], 28);
    const std::string message = TRY(socket.receive_message(kMostAnswerBytes, patience()));
    switch (static_cast<unsigned char>(head[2])) {
      case 80:
        return take_block(socket, message);
      case 81:
        return give_block(socket, message);
      default:
        EXPECT_EQ(head[2], 86);
        return copy_block(socket);
    }
  }

  Result<> answer(DataSocket& socket, const google::protobuf::MessageLite& message) {
    std::string bytes;
    append_varint(bytes, message.ByteSizeLong());
    message.AppendToString(&bytes);
    return socket.send_all(bytes, patience());
  }

  Result<> copy_block(DataSocket& socket) {
    {
      const std::lock_guard lock(replicas_.mutex);
      ++replicas_.copies;
    }
    proto::BlockOpResponse response;
    response.set_status(proto::SUCCESS);
    return answer(socket, response);
  }

  Trouble next_trouble() {
    const std::lock_guard lock(mutex_);
    if (troubles_.empty()) {
      return {};
    }
    const Trouble trouble = troubles_.front();
    troubles_.pop_front();
    return trouble;
  }

  Result<> take_block(DataSocket& socket, const std::string& message) {
    proto::OpWriteBlock request;
    EXPECT_TRUE(request.ParseFromString(message));
    const Trouble trouble = next_trouble();
    proto::BlockOpResponse response;
    response.set_status(proto::SUCCESS);
    if (trouble.kind == Kind::kRefuse) {
      response.set_status(proto::ERROR);
      response.set_first_bad_link(
          trouble.node == 0
              ? ""
              : "127.0.0.1:" +
                    std::to_string(
                        request.targets(static_cast<int>(trouble.node) - 1).id().xfer_port()));
      return answer(socket, response);
    }
    open_replica(request);
    TRY(answer(socket, response));
    const std::uint64_t id = request.header().base_header().block().block_id();
    for (std::size_t packets = 0;; ++packets) {
      if (!TRY(take_packet(socket, id, request.pipeline_size(), trouble, packets))) {
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
  Result<bool> take_packet(DataSocket& socket, std::uint64_t id, std::size_t nodes,
                           const Trouble& trouble, std::size_t taken) {
    std::string head(kPacketLengthsBytes, '\0');
    TRY(socket.receive_all(head, patience()));
    const PacketLengths lengths = TRY(decode_packet_lengths(head));
    std::string header_bytes(lengths.header_bytes, '\0');
    TRY(socket.receive_all(header_bytes, patience()));
    const PacketHeader header = TRY(decode_packet_header(header_bytes));
    std::string payload(lengths.payload_bytes, '\0');
    TRY(socket.receive_all(payload, patience()));
    const bool struck = trouble.kind != Kind::kNone && taken >= trouble.packets;
    if (header.seqno == kHeartbeatSeqno) {
      const std::lock_guard lock(replicas_.mutex);
      ++replicas_.heartbeats;
    } else if (!struck || trouble.kind == Kind::kSilence) {
      store(id, header, payload);
    }
    if (struck && trouble.kind == Kind::kEnd) {
      return false;
    }
    if (struck && trouble.kind == Kind::kSilence) {
      return true;
    }
    TRY(acknowledge(socket, header.seqno, nodes,
                    struck ? trouble : Trouble{.torn_acks = trouble.torn_acks}));
    if (struck) {
      drain(socket);
    }
    return !struck && !header.last_in_block;
  }

  // Ends with the peer: unread bytes at the end of a connection would take the ack away with them.
  void drain(DataSocket& socket) {
    std::array<char, 4096> waste;
    while (socket.receive_some(waste).ok() && socket.wait(false, patience()).ok()) {
    }
  }

  Result<> acknowledge(DataSocket& socket, std::int64_t seqno, std::size_t nodes,
                       const Trouble& trouble) {
    PipelineAck ack{seqno, std::vector<TransferStatus>(nodes, TransferStatus::kSuccess)};
    if (trouble.kind == Kind::kBadAck) {
      ack.replies[trouble.node] = TransferStatus::kError;
    } else if (trouble.kind == Kind::kRestart) {
      ack = {-2, {TransferStatus::kOobRestart}};
    } else if (trouble.kind == Kind::kWrongSeqno) {
      ack.seqno += 7;
    }
    std::string bytes;
    append_pipeline_ack(bytes, ack);
    if (trouble.kind == Kind::kGarbage) {
      bytes.assign(64, '\xFF');
    }
    for (std::size_t at = 0; trouble.torn_acks && at + 1 < bytes.size(); ++at) {
      TRY(socket.send_all({bytes.data() + at, 1}, patience()));
    }
    return socket.send_all(
        trouble.torn_acks ? std::string_view(bytes).substr(bytes.size() - 1) : bytes, patience());
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

  Result<> give_block(DataSocket& socket, const std::string& message) {
    proto::OpReadBlock request;
    EXPECT_TRUE(request.ParseFromString(message));
    const Trouble trouble = next_trouble();
    proto::BlockOpResponse response;
    response.set_status(trouble.kind == Kind::kRefuse ? proto::ERROR : proto::SUCCESS);
    const std::uint64_t chunk = 512;
    const std::uint64_t begin = request.offset() / chunk * chunk;
    proto::ReadOpChecksumInfo& info = *response.mutable_read_op_checksum_info();
    info.set_chunk_offset(begin);
    info.mutable_checksum()->set_type(proto::CHECKSUM_CRC32C);
    info.mutable_checksum()->set_bytes_per_checksum(512);
    TRY(answer(socket, response));
    if (trouble.kind == Kind::kRefuse) {
      return {};
    }
    const std::string bytes = replicas_.of(request.header().base_header().block().block_id()).bytes;
    return give_packets(socket, std::string_view(bytes).substr(0, request.offset() + request.len()),
                        begin, trouble);
  }

  Result<> give_packets(DataSocket& socket, std::string_view bytes, std::uint64_t begin,
                        const Trouble& trouble) {
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
      if (trouble.kind == Kind::kEnd && seqno >= static_cast<std::int64_t>(trouble.packets)) {
        return {};
      }
      if (trouble.kind == Kind::kGarbage && seqno >= static_cast<std::int64_t>(trouble.packets)) {
        wire[wire.size() / 2] = static_cast<char>(wire[wire.size() / 2] ^ 1);
      }
      TRY(socket.send_all(wire, patience()));
      at += packet.size();
      if (last) {
        break;
      }
      ++seqno;
    }
    TRY(socket.receive_message(100, patience()));
    const std::lock_guard lock(replicas_.mutex);
    ++replicas_.packets;
    return {};
  }

  FakeReplicas& replicas_;
  Descriptor listener_;
  std::mutex mutex_;  // Guards troubles_.
  std::deque<Trouble> troubles_;
  std::atomic<bool> stopping_{false};
  std::vector<std::jthread> connections_;  // The acceptor's, then stop()'s.
  std::jthread acceptor_;
};

}  // namespace millrace::hdfs::testing_kit
