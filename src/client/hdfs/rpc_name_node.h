// A real NameNode, over RPC.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client/hdfs/name_node.h"
#include "client/hdfs/rpc_client.h"

namespace millrace::hdfs {

// See NameNode for what holds of all; RpcClient for tries and time-outs.
class RpcNameNode final : public NameNode {
 public:
  // `client_name` is unique among the clients of the cluster.
  RpcNameNode(RpcTarget target, RpcOptions options, std::string client_name);

  const std::string& client_name() const override { return client_name_; }
  void close() { client_.close(); }
  // Set by close(); for those who wait for something else meanwhile.
  const std::atomic<bool>& closed() const { return client_.closed(); }

  Result<FileInfo> create(const NewFile& file) override;
  Result<AppendedFile> append(const std::string& path) override;
  Result<LocatedBlock> add_block(const WrittenFile& file, const std::optional<Block>& previous,
                                 const std::vector<DatanodeInfo>& excluded) override;
  Result<> abandon_block(const WrittenFile& file, const Block& block) override;
  Result<LocatedBlock> get_additional_datanode(const WrittenFile& file, const Block& block,
                                               const std::vector<DatanodeInfo>& existing,
                                               const std::vector<std::string>& existing_storage_ids,
                                               const std::vector<DatanodeInfo>& excluded,
                                               std::uint32_t count) override;
  Result<bool> complete(const WrittenFile& file, const std::optional<Block>& last) override;
  Result<> fsync(const WrittenFile& file, std::optional<std::uint64_t> last_block_length) override;
  Result<LocatedBlock> update_block_for_pipeline(const Block& block) override;
  Result<> update_pipeline(const Block& old_block, const Block& new_block,
                           const std::vector<DatanodeId>& nodes,
                           const std::vector<std::string>& storage_ids) override;
  Result<LocatedBlocks> get_block_locations(const std::string& path, std::uint64_t offset,
                                            std::uint64_t length) override;
  Result<> rename(const std::string& from, const std::string& to) override;
  Result<bool> remove(const std::string& path, bool recursive) override;
  Result<> mkdirs(const std::string& path, std::uint32_t permissions) override;
  Result<std::vector<FileInfo>> get_listing(const std::string& path) override;
  Result<> renew_lease() override;
  Result<bool> recover_lease(const std::string& path) override;
  Result<bool> is_file_closed(const std::string& path) override;
  Result<FileInfo> get_file_info(const std::string& path) override;
  Result<bool> truncate(const std::string& path, std::uint64_t length) override;
  Result<> set_permission(const std::string& path, std::uint32_t permissions) override;
  Result<ServerDefaults> get_server_defaults() override;

 private:
  // Makes the call; errors name it, what it was about, and the server.
  template <class Response, class Request>
  Result<Response> ask(std::string_view method, const Request& request, const std::string& about);
  Error named(Error error, std::string_view method, const std::string& about) const;

  RpcClient client_;
  const std::string client_name_;
};

}  // namespace millrace::hdfs
