// The requests of the data transfer protocol (version 28) and the answers to them, as plain
// structs.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "client/hdfs/block.h"
#include "client/hdfs/chunk_checksums.h"
#include "client/hdfs/pipeline_ack.h"
#include "client/hdfs/pipeline_node.h"

namespace millrace::hdfs {

constexpr std::size_t kMostAnswerBytes = 1024 * 1024;

// OpWriteBlockProto.BlockConstructionStage. Where a pipeline is set up after a failure, the
// recovery of its stage.
enum class PipelineStage : std::uint32_t {
  kSetupAppend = 0,
  kSetupAppendRecovery = 1,
  kDataStreaming = 2,
  kSetupStreamingRecovery = 3,
  kClose = 4,
  kCloseRecovery = 5,
  kSetupCreate = 6,
};

struct WriteBlockRequest {
  std::string client_name;
  Block block;  // Its generation stamp is the one that the replicas have.
  BlockToken token;
  std::vector<PipelineNode> nodes;  // The whole pipeline; the request goes to the first.
  PipelineStage stage = PipelineStage::kSetupCreate;
  std::uint64_t min_bytes_received = 0;  // Acknowledged: every replica must have them.
  std::uint64_t max_bytes_received = 0;  // Sent: no replica can have more.
  std::uint64_t latest_generation_stamp = 0;
  ChunkChecksums checksums;
};

struct TransferAnswer {
  TransferStatus status = TransferStatus::kSuccess;
  std::string first_bad_link;  // "ip:port" of the node that could not be reached.
  std::string message;
  ChunkChecksums checksums;        // Of a read.
  std::uint64_t chunk_offset = 0;  // Of a read: where its first packet begins.
};

// Whole requests, with version, operation and length.
std::string encode_write_block(const WriteBlockRequest& request);
// Asks a DataNode that has the block to copy it to `targets`, which join its pipeline.
std::string encode_transfer_block(const std::string& client_name, const Block& block,
                                  const BlockToken& token, std::span<const PipelineNode> targets);
std::string encode_read_block(const std::string& client_name, const Block& block,
                              const BlockToken& token, std::uint64_t offset, std::uint64_t length);
// What a reader says when it has all: that the checksums were right. With its length.
std::string encode_read_done();

// Of a BlockOpResponseProto without its length; `read`: the answer to a read, which must tell of
// its checksums where it succeeded.
Result<TransferAnswer> decode_answer(std::string_view bytes, bool read);

}  // namespace millrace::hdfs
