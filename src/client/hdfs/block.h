// Blocks, the DataNodes that hold them, and files, as the NameNode speaks of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "client/dfs/file_system.h"

namespace millrace::hdfs {

struct Block {
  std::string pool;
  std::uint64_t id = 0;
  std::uint64_t generation_stamp = 0;
  std::uint64_t length_bytes = 0;
};

// Lets its holder at one block; opaque. Sent to the DataNode with each operation.
struct BlockToken {
  std::string identifier;
  std::string password;
  std::string kind;
  std::string service;
};

struct DatanodeId {
  std::string ip_address;
  std::string host_name;
  std::string uuid;
  std::uint32_t transfer_port = 0;
  std::uint32_t info_port = 0;
  std::uint32_t ipc_port = 0;
  std::uint32_t info_secure_port = 0;

  friend bool operator==(const DatanodeId&, const DatanodeId&) = default;
};

struct DatanodeInfo {
  DatanodeId id;
  std::string location;  // In the network: "/rack1".

  friend bool operator==(const DatanodeInfo&, const DatanodeInfo&) = default;
};

// With Hadoop's numbers.
enum class StorageType { kDisk = 1, kSsd, kArchive, kRamDisk, kProvided, kNvdimm };
enum class ChecksumType { kNull = 0, kCrc32 = 1, kCrc32c = 2 };

struct LocatedBlock {
  Block block;
  std::uint64_t offset = 0;  // Bytes of the file before it.
  // The replicas, side by side; the last two may be shorter than `nodes` when the NameNode is old.
  std::vector<DatanodeInfo> nodes;
  std::vector<StorageType> storage_types;
  std::vector<std::string> storage_ids;
  BlockToken token;
  bool corrupt = false;
};

struct LocatedBlocks {
  std::uint64_t file_length = 0;  // Bytes, without those of an open last block.
  std::vector<LocatedBlock> blocks;
  bool under_construction = false;
  std::optional<LocatedBlock> last_block;
  bool last_block_complete = false;
};

struct FileInfo {
  dfs::FileStatus status;
  std::uint64_t file_id = 0;
  bool symlink = false;
  bool encrypted = false;
  bool erasure_coded = false;
};

struct ServerDefaults {
  std::uint64_t block_size = 0;  // Bytes.
  std::uint32_t bytes_per_checksum = 0;
  std::uint32_t write_packet_bytes = 0;
  std::uint32_t replication = 0;
  ChecksumType checksum_type = ChecksumType::kCrc32c;
  bool encrypts_data_transfer = false;
};

}  // namespace millrace::hdfs
