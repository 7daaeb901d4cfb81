// The calls of the NameNode that a client of HDFS makes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "client/hdfs/block.h"

namespace millrace::hdfs {

// A file that this client writes.
struct WrittenFile {
  std::string path;
  std::uint64_t id = 0;  // FileInfo::file_id.
};

struct NewFile {
  std::string path;
  std::uint32_t permissions = 0644;
  std::uint32_t replication = 0;
  std::uint64_t block_size = 0;  // Bytes.
};

struct AppendedFile {
  FileInfo info;
  // The block to go on in; none when the last one is full or the file is empty.
  std::optional<LocatedBlock> last_block;
};

// A NameNode, as one client of it sees it: RpcNameNode, or a fake in tests.
//
// Repeats: a call that changes something has one id for all of its tries, by which the NameNode
// knows one that it did already: what it answers then is its first answer. Errors: as
// dfs::FileSystem; moreover ESTALE when the NameNode has no such file open for us (its lease
// expired, or it was removed). Threads: any; calls run side by side.
class NameNode {
 public:
  virtual ~NameNode() = default;

  // Whom leases are given to.
  virtual const std::string& client_name() const = 0;

  // Makes missing folders; EEXIST when the name is taken. SYNC_BLOCK is not the NameNode's: the
  // writer asks it of the DataNodes.
  virtual Result<FileInfo> create(const NewFile& file) = 0;
  virtual Result<AppendedFile> append(const std::string& path) = 0;
  // `previous`: the block before, with its length and generation stamp. EAGAIN while that has too
  // few replicas.
  virtual Result<LocatedBlock> add_block(const WrittenFile& file,
                                         const std::optional<Block>& previous,
                                         const std::vector<DatanodeInfo>& excluded) = 0;
  virtual Result<> abandon_block(const WrittenFile& file, const Block& block) = 0;
  // `existing`, with the storage of each, and `count` more in front of or behind them.
  virtual Result<LocatedBlock> get_additional_datanode(
      const WrittenFile& file, const Block& block, const std::vector<DatanodeInfo>& existing,
      const std::vector<std::string>& existing_storage_ids,
      const std::vector<DatanodeInfo>& excluded, std::uint32_t count) = 0;
  // False while the last blocks have too few replicas: ask again later.
  virtual Result<bool> complete(const WrittenFile& file, const std::optional<Block>& last) = 0;
  // Makes the file's blocks durable in the NameNode; `last_block_length` becomes the length that
  // others see.
  virtual Result<> fsync(const WrittenFile& file,
                         std::optional<std::uint64_t> last_block_length) = 0;
  // A new generation stamp and token.
  virtual Result<LocatedBlock> update_block_for_pipeline(const Block& block) = 0;
  virtual Result<> update_pipeline(const Block& old_block, const Block& new_block,
                                   const std::vector<DatanodeId>& nodes,
                                   const std::vector<std::string>& storage_ids) = 0;
  virtual Result<LocatedBlocks> get_block_locations(const std::string& path, std::uint64_t offset,
                                                    std::uint64_t length) = 0;

  // Never replaces and never moves into a folder: EEXIST.
  virtual Result<> rename(const std::string& from, const std::string& to) = 0;
  // False when there was nothing.
  virtual Result<bool> remove(const std::string& path, bool recursive) = 0;
  virtual Result<> mkdirs(const std::string& path, std::uint32_t permissions) = 0;
  // All of a folder, by name, with whole paths; of a file, itself.
  virtual Result<std::vector<FileInfo>> get_listing(const std::string& path) = 0;
  virtual Result<> renew_lease() = 0;
  // True when the file is closed.
  virtual Result<bool> recover_lease(const std::string& path) = 0;
  virtual Result<bool> is_file_closed(const std::string& path) = 0;
  virtual Result<FileInfo> get_file_info(const std::string& path) = 0;  // ENOENT.
  // True when done, false while the last block is still being cut.
  virtual Result<bool> truncate(const std::string& path, std::uint64_t length) = 0;
  virtual Result<> set_permission(const std::string& path, std::uint32_t permissions) = 0;
  virtual Result<ServerDefaults> get_server_defaults() = 0;
};

}  // namespace millrace::hdfs
