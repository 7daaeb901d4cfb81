#include "client/hdfs/transfer_messages.h"

#include <google/protobuf/message_lite.h>

#include "base/bytes.h"
#include "client/hdfs/name_node_messages.h"
#include "client/hdfs/proto/transfer.pb.h"
#include "client/hdfs/proto_wire.h"

namespace millrace::hdfs {
namespace {

constexpr std::uint16_t kVersion = 28;

enum class Operation : std::uint8_t { kWriteBlock = 80, kReadBlock = 81, kTransferBlock = 86 };

void append_delimited(std::string& out, const google::protobuf::MessageLite& message) {
  append_varint(out, message.ByteSizeLong());
  message.AppendToString(&out);
}

std::string request_bytes(Operation operation, const google::protobuf::MessageLite& message) {
  std::string out;
  out.push_back(static_cast<char>(kVersion >> 8));
  out.push_back(static_cast<char>(kVersion & 0xFF));
  out.push_back(static_cast<char>(operation));
  append_delimited(out, message);
  return out;
}

void fill(proto::ClientOperationHeader& header, const std::string& client_name, const Block& block,
          const BlockToken& token) {
  header.set_client_name(client_name);
  proto::BaseHeader& base = *header.mutable_base_header();
  to_message(block, *base.mutable_block());
  base.mutable_token()->set_identifier(token.identifier);
  base.mutable_token()->set_password(token.password);
  base.mutable_token()->set_kind(token.kind);
  base.mutable_token()->set_service(token.service);
}

// For the fields that OpWriteBlock and OpTransferBlock have in common.
template <class Message>
void fill_targets(Message& message, std::span<const PipelineNode> targets) {
  for (const PipelineNode& target : targets) {
    to_message(target.info, *message.add_targets());
    message.add_target_storage_types(static_cast<proto::StorageType>(target.storage_type));
    message.add_target_storage_ids(target.storage_id);
  }
}

}  // namespace

std::string encode_write_block(const WriteBlockRequest& request) {
  proto::OpWriteBlock message;
  fill(*message.mutable_header(), request.client_name, request.block, request.token);
  const PipelineNode& first = request.nodes.front();
  fill_targets(message, std::span(request.nodes).subspan(1));
  message.set_stage(static_cast<proto::OpWriteBlock::BlockConstructionStage>(request.stage));
  message.set_pipeline_size(static_cast<std::uint32_t>(request.nodes.size()));
  message.set_min_bytes_rcvd(request.min_bytes_received);
  message.set_max_bytes_rcvd(request.max_bytes_received);
  message.set_latest_generation_stamp(request.latest_generation_stamp);
  proto::Checksum& checksum = *message.mutable_requested_checksum();
  checksum.set_type(static_cast<proto::ChecksumType>(request.checksums.type));
  checksum.set_bytes_per_checksum(request.checksums.bytes_per_chunk);
  message.mutable_caching_strategy();
  message.set_storage_type(static_cast<proto::StorageType>(first.storage_type));
  message.set_storage_id(first.storage_id);
  return request_bytes(Operation::kWriteBlock, message);
}

std::string encode_transfer_block(const std::string& client_name, const Block& block,
                                  const BlockToken& token, std::span<const PipelineNode> targets) {
  proto::OpTransferBlock message;
  fill(*message.mutable_header(), client_name, block, token);
  fill_targets(message, targets);
  return request_bytes(Operation::kTransferBlock, message);
}

std::string encode_read_block(const std::string& client_name, const Block& block,
                              const BlockToken& token, std::uint64_t offset, std::uint64_t length) {
  proto::OpReadBlock message;
  fill(*message.mutable_header(), client_name, block, token);
  message.set_offset(offset);
  message.set_len(length);
  message.set_send_checksums(true);
  message.mutable_caching_strategy();
  return request_bytes(Operation::kReadBlock, message);
}

std::string encode_read_done() {
  proto::ClientReadStatus message;
  message.set_status(proto::CHECKSUM_OK);
  std::string out;
  append_delimited(out, message);
  return out;
}

Result<TransferAnswer> decode_answer(std::string_view bytes, bool read) {
  proto::BlockOpResponse message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return corrupt("an answer of a DataNode that is none");
  }
  TransferAnswer answer;
  answer.status = static_cast<TransferStatus>(message.status());
  answer.first_bad_link = message.first_bad_link();
  answer.message = message.message();
  if (read && answer.status == TransferStatus::kSuccess) {
    if (!message.has_read_op_checksum_info()) {
      return corrupt("an answer to a read that tells nothing of its checksums");
    }
    const proto::ReadOpChecksumInfo& info = message.read_op_checksum_info();
    answer.checksums = TRY(checked_checksums(static_cast<std::uint64_t>(info.checksum().type()),
                                             info.checksum().bytes_per_checksum()));
    answer.chunk_offset = info.chunk_offset();
  }
  return answer;
}

}  // namespace millrace::hdfs
