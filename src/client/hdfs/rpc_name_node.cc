#include "client/hdfs/rpc_name_node.h"

#include <fmt/core.h>

#include <cerrno>
#include <utility>

#include "client/hdfs/name_node_messages.h"
#include "client/hdfs/proto/name_node.pb.h"

namespace millrace::hdfs {
namespace {

// A call about a file that we write: that it is not there means that it is no longer ours.
template <class T>
Result<T> of_written(Result<T> result) {
  if (result.ok() || result.error().error_number() != ENOENT) {
    return result;
  }
  return Error(Fault::kTransient, result.error().message(), ESTALE);
}

Error not_there(const std::string& path) {
  return system_error(path, ENOENT);
}

template <class Nodes>
void add_all(const std::vector<DatanodeInfo>& nodes, Nodes& messages) {
  for (const DatanodeInfo& node : nodes) {
    to_message(node, *messages.Add());
  }
}

std::string child(const std::string& folder, const std::string& name) {
  if (name.empty()) {
    return folder;  // The listing of a file.
  }
  return folder.ends_with('/') ? folder + name : folder + "/" + name;
}

}  // namespace

RpcNameNode::RpcNameNode(RpcTarget target, RpcOptions options, std::string client_name)
    : client_(std::move(target), options), client_name_(std::move(client_name)) {}

template <class Response, class Request>
Result<Response> RpcNameNode::ask(std::string_view method, const Request& request,
                                  const std::string& about) {
  Result<std::string> bytes = client_.call(method, request.SerializeAsString());
  if (!bytes.ok()) {
    return named(std::move(bytes).error(), method, about);
  }
  Response response;
  if (!response.ParseFromString(*bytes)) {
    return named(transient("an answer that is not what was asked for"), method, about);
  }
  return response;
}

Error RpcNameNode::named(Error error, std::string_view method, const std::string& about) const {
  return std::move(error).with(
      fmt::format("{} {} (NameNode {})", method, about, client_.target().address()));
}

Result<FileInfo> RpcNameNode::create(const NewFile& file) {
  proto::CreateRequest request;
  request.set_src(file.path);
  request.mutable_masked()->set_perm(file.permissions);
  request.set_client_name(client_name_);
  request.set_create_flag(proto::CREATE);
  request.set_create_parent(true);
  request.set_replication(file.replication);
  request.set_block_size(file.block_size);
  request.mutable_unmasked()->set_perm(file.permissions);
  const auto response = TRY(ask<proto::CreateResponse>("create", request, file.path));
  if (!response.has_fs()) {
    return named(bad_config("a NameNode older than Hadoop 2.2"), "create", file.path);
  }
  return from_message(response.fs(), file.path);
}

Result<AppendedFile> RpcNameNode::append(const std::string& path) {
  proto::AppendRequest request;
  request.set_src(path);
  request.set_client_name(client_name_);
  request.set_flag(proto::APPEND);
  const auto response = TRY(ask<proto::AppendResponse>("append", request, path));
  if (!response.has_stat()) {
    return named(bad_config("a NameNode older than Hadoop 2.7"), "append", path);
  }
  AppendedFile file{from_message(response.stat(), path), std::nullopt};
  if (response.has_block()) {
    file.last_block = from_message(response.block());
  }
  return file;
}

Result<LocatedBlock> RpcNameNode::add_block(const WrittenFile& file,
                                            const std::optional<Block>& previous,
                                            const std::vector<DatanodeInfo>& excluded) {
  proto::AddBlockRequest request;
  request.set_src(file.path);
  request.set_client_name(client_name_);
  request.set_file_id(file.id);
  if (previous) {
    to_message(*previous, *request.mutable_previous());
  }
  add_all(excluded, *request.mutable_exclude_nodes());
  const auto response =
      TRY(of_written(ask<proto::AddBlockResponse>("addBlock", request, file.path)));
  return from_message(response.block());
}

Result<> RpcNameNode::abandon_block(const WrittenFile& file, const Block& block) {
  proto::AbandonBlockRequest request;
  to_message(block, *request.mutable_b());
  request.set_src(file.path);
  request.set_holder(client_name_);
  request.set_file_id(file.id);
  TRY(of_written(ask<proto::AbandonBlockResponse>("abandonBlock", request, file.path)));
  return {};
}

Result<LocatedBlock> RpcNameNode::get_additional_datanode(
    const WrittenFile& file, const Block& block, const std::vector<DatanodeInfo>& existing,
    const std::vector<std::string>& existing_storage_ids, const std::vector<DatanodeInfo>& excluded,
    std::uint32_t count) {
  proto::GetAdditionalDatanodeRequest request;
  request.set_src(file.path);
  request.set_file_id(file.id);
  request.set_client_name(client_name_);
  request.set_num_additional_nodes(count);
  to_message(block, *request.mutable_blk());
  add_all(existing, *request.mutable_existings());
  add_all(excluded, *request.mutable_excludes());
  for (const std::string& id : existing_storage_ids) {
    request.add_existing_storage_uuids(id);
  }
  const auto response = TRY(of_written(
      ask<proto::GetAdditionalDatanodeResponse>("getAdditionalDatanode", request, file.path)));
  return from_message(response.block());
}

Result<bool> RpcNameNode::complete(const WrittenFile& file, const std::optional<Block>& last) {
  proto::CompleteRequest request;
  request.set_src(file.path);
  request.set_client_name(client_name_);
  request.set_file_id(file.id);
  if (last) {
    to_message(*last, *request.mutable_last());
  }
  return TRY(of_written(ask<proto::CompleteResponse>("complete", request, file.path))).result();
}

Result<> RpcNameNode::fsync(const WrittenFile& file,
                            std::optional<std::uint64_t> last_block_length) {
  proto::FsyncRequest request;
  request.set_src(file.path);
  request.set_client(client_name_);
  request.set_file_id(file.id);
  if (last_block_length) {
    request.set_last_block_length(static_cast<std::int64_t>(*last_block_length));
  }
  TRY(of_written(ask<proto::FsyncResponse>("fsync", request, file.path)));
  return {};
}

Result<LocatedBlock> RpcNameNode::update_block_for_pipeline(const Block& block) {
  proto::UpdateBlockForPipelineRequest request;
  to_message(block, *request.mutable_block());
  request.set_client_name(client_name_);
  const auto response = TRY(of_written(ask<proto::UpdateBlockForPipelineResponse>(
      "updateBlockForPipeline", request, fmt::format("block {}", block.id))));
  return from_message(response.block());
}

Result<> RpcNameNode::update_pipeline(const Block& old_block, const Block& new_block,
                                      const std::vector<DatanodeId>& nodes,
                                      const std::vector<std::string>& storage_ids) {
  proto::UpdatePipelineRequest request;
  request.set_client_name(client_name_);
  to_message(old_block, *request.mutable_old_block());
  to_message(new_block, *request.mutable_new_block());
  for (const DatanodeId& node : nodes) {
    to_message(node, *request.add_new_nodes());
  }
  for (const std::string& id : storage_ids) {
    request.add_storage_ids(id);
  }
  TRY(of_written(ask<proto::UpdatePipelineResponse>("updatePipeline", request,
                                                    fmt::format("block {}", old_block.id))));
  return {};
}

Result<LocatedBlocks> RpcNameNode::get_block_locations(const std::string& path,
                                                       std::uint64_t offset, std::uint64_t length) {
  proto::GetBlockLocationsRequest request;
  request.set_src(path);
  request.set_offset(offset);
  request.set_length(length);
  const auto response =
      TRY(ask<proto::GetBlockLocationsResponse>("getBlockLocations", request, path));
  if (!response.has_locations()) {
    return named(not_there(path), "getBlockLocations", path);
  }
  return from_message(response.locations());
}

Result<> RpcNameNode::rename(const std::string& from, const std::string& to) {
  proto::Rename2Request request;
  request.set_src(from);
  request.set_dst(to);
  request.set_overwrite_dest(false);
  TRY(ask<proto::Rename2Response>("rename2", request, fmt::format("{} to {}", from, to)));
  return {};
}

Result<bool> RpcNameNode::remove(const std::string& path, bool recursive) {
  proto::DeleteRequest request;
  request.set_src(path);
  request.set_recursive(recursive);
  return TRY(ask<proto::DeleteResponse>("delete", request, path)).result();
}

Result<> RpcNameNode::mkdirs(const std::string& path, std::uint32_t permissions) {
  proto::MkdirsRequest request;
  request.set_src(path);
  request.mutable_masked()->set_perm(permissions);
  request.set_create_parent(true);
  request.mutable_unmasked()->set_perm(permissions);
  TRY(ask<proto::MkdirsResponse>("mkdirs", request, path));
  return {};
}

Result<std::vector<FileInfo>> RpcNameNode::get_listing(const std::string& path) {
  std::vector<FileInfo> found;
  proto::GetListingRequest request;
  request.set_src(path);
  request.set_need_location(false);
  request.set_start_after("");
  for (;;) {
    const auto response = TRY(ask<proto::GetListingResponse>("getListing", request, path));
    if (!response.has_dir_list()) {
      return named(not_there(path), "getListing", path);
    }
    const proto::DirectoryListing& part = response.dir_list();
    for (const proto::HdfsFileStatus& entry : part.partial_listing()) {
      found.push_back(from_message(entry, child(path, entry.path())));
    }
    if (part.remaining_entries() == 0 || part.partial_listing().empty()) {
      return found;
    }
    request.set_start_after(part.partial_listing().rbegin()->path());
  }
}

Result<> RpcNameNode::renew_lease() {
  proto::RenewLeaseRequest request;
  request.set_client_name(client_name_);
  TRY(ask<proto::RenewLeaseResponse>("renewLease", request, client_name_));
  return {};
}

Result<bool> RpcNameNode::recover_lease(const std::string& path) {
  proto::RecoverLeaseRequest request;
  request.set_src(path);
  request.set_client_name(client_name_);
  return TRY(ask<proto::RecoverLeaseResponse>("recoverLease", request, path)).result();
}

Result<bool> RpcNameNode::is_file_closed(const std::string& path) {
  proto::IsFileClosedRequest request;
  request.set_src(path);
  return TRY(ask<proto::IsFileClosedResponse>("isFileClosed", request, path)).result();
}

Result<FileInfo> RpcNameNode::get_file_info(const std::string& path) {
  proto::GetFileInfoRequest request;
  request.set_src(path);
  const auto response = TRY(ask<proto::GetFileInfoResponse>("getFileInfo", request, path));
  if (!response.has_fs()) {
    return named(not_there(path), "getFileInfo", path);
  }
  return from_message(response.fs(), path);
}

Result<bool> RpcNameNode::truncate(const std::string& path, std::uint64_t length) {
  proto::TruncateRequest request;
  request.set_src(path);
  request.set_new_length(length);
  request.set_client_name(client_name_);
  return TRY(ask<proto::TruncateResponse>("truncate", request, path)).result();
}

Result<> RpcNameNode::set_permission(const std::string& path, std::uint32_t permissions) {
  proto::SetPermissionRequest request;
  request.set_src(path);
  request.mutable_permission()->set_perm(permissions);
  TRY(ask<proto::SetPermissionResponse>("setPermission", request, path));
  return {};
}

Result<ServerDefaults> RpcNameNode::get_server_defaults() {
  const auto response = TRY(ask<proto::GetServerDefaultsResponse>(
      "getServerDefaults", proto::GetServerDefaultsRequest(), ""));
  return from_message(response.server_defaults());
}

}  // namespace millrace::hdfs
