#include "client/hdfs/name_node_messages.h"

#include <chrono>
#include <utility>

namespace millrace::hdfs {
namespace {

constexpr std::uint32_t kHasEncryption = 2;
constexpr std::uint32_t kHasErasureCoding = 4;
constexpr std::uint32_t kPermissionBits = 07777;

Block from_message(const proto::ExtendedBlock& message) {
  return {message.pool_id(), message.block_id(), message.generation_stamp(), message.num_bytes()};
}

DatanodeId from_message(const proto::DatanodeID& message) {
  return {message.ip_addr(),   message.host_name(), message.datanode_uuid(),   message.xfer_port(),
          message.info_port(), message.ipc_port(),  message.info_secure_port()};
}

WallTime wall_time(std::uint64_t ms) {
  return WallTime(std::chrono::milliseconds(static_cast<std::int64_t>(ms)));
}

}  // namespace

void to_message(const Block& block, proto::ExtendedBlock& message) {
  message.set_pool_id(block.pool);
  message.set_block_id(block.id);
  message.set_generation_stamp(block.generation_stamp);
  message.set_num_bytes(block.length_bytes);
}

void to_message(const DatanodeId& node, proto::DatanodeID& message) {
  message.set_ip_addr(node.ip_address);
  message.set_host_name(node.host_name);
  message.set_datanode_uuid(node.uuid);
  message.set_xfer_port(node.transfer_port);
  message.set_info_port(node.info_port);
  message.set_ipc_port(node.ipc_port);
  message.set_info_secure_port(node.info_secure_port);
}

void to_message(const DatanodeInfo& node, proto::DatanodeInfo& message) {
  to_message(node.id, *message.mutable_id());
  message.set_location(node.location);
}

LocatedBlock from_message(const proto::LocatedBlock& message) {
  LocatedBlock block;
  block.block = from_message(message.b());
  block.offset = message.offset();
  block.corrupt = message.corrupt();
  block.token = {message.block_token().identifier(), message.block_token().password(),
                 message.block_token().kind(), message.block_token().service()};
  for (const proto::DatanodeInfo& node : message.locs()) {
    block.nodes.push_back({from_message(node.id()), node.location()});
  }
  for (const int type : message.storage_types()) {
    block.storage_types.push_back(static_cast<StorageType>(type));
  }
  block.storage_ids.assign(message.storage_ids().begin(), message.storage_ids().end());
  return block;
}

LocatedBlocks from_message(const proto::LocatedBlocks& message) {
  LocatedBlocks blocks;
  blocks.file_length = message.file_length();
  blocks.under_construction = message.under_construction();
  blocks.last_block_complete = message.is_last_block_complete();
  for (const proto::LocatedBlock& block : message.blocks()) {
    blocks.blocks.push_back(from_message(block));
  }
  if (message.has_last_block()) {
    blocks.last_block = from_message(message.last_block());
  }
  return blocks;
}

FileInfo from_message(const proto::HdfsFileStatus& message, std::string path) {
  FileInfo info;
  info.status.path = std::move(path);
  info.status.length = message.length();
  info.status.is_directory = message.file_type() == proto::HdfsFileStatus::IS_DIR;
  info.status.modified = wall_time(message.modification_time());
  info.status.permissions = message.permission().perm() & kPermissionBits;
  info.status.owner = message.owner();
  info.status.group = message.group();
  info.status.replication = message.block_replication();
  info.status.block_size = message.blocksize();
  info.file_id = message.file_id();
  info.symlink = message.file_type() == proto::HdfsFileStatus::IS_SYMLINK;
  info.encrypted = message.has_file_encryption_info() || (message.flags() & kHasEncryption) != 0;
  info.erasure_coded = message.has_ec_policy() || (message.flags() & kHasErasureCoding) != 0;
  return info;
}

ServerDefaults from_message(const proto::FsServerDefaults& message) {
  ServerDefaults defaults;
  defaults.block_size = message.block_size();
  defaults.bytes_per_checksum = message.bytes_per_checksum();
  defaults.write_packet_bytes = message.write_packet_size();
  defaults.replication = message.replication();
  defaults.checksum_type = static_cast<ChecksumType>(message.checksum_type());
  defaults.encrypts_data_transfer = message.encrypt_data_transfer();
  return defaults;
}

}  // namespace millrace::hdfs
