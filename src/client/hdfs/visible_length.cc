#include "client/hdfs/visible_length.h"

#include "client/hdfs/name_node_messages.h"
#include "client/hdfs/proto/transfer.pb.h"
#include "client/hdfs/rpc_client.h"

namespace millrace::hdfs {

Result<std::uint64_t> ask_visible_length(const DatanodeId& node, const Block& block,
                                         const std::string& user, const RpcOptions& options,
                                         bool use_host_name) {
  RpcOptions once = options;
  once.connect_retries = 0;  // Another DataNode may know.
  RpcClient client({.host = use_host_name ? node.host_name : node.ip_address,
                    .port = static_cast<std::uint16_t>(node.ipc_port),
                    .user = user,
                    .protocol = kClientDatanodeProtocol},
                   once);
  proto::GetReplicaVisibleLengthRequest request;
  to_message(block, *request.mutable_block());
  const std::string bytes =
      TRY(client.call("getReplicaVisibleLength", request.SerializeAsString()));
  proto::GetReplicaVisibleLengthResponse response;
  if (!response.ParseFromString(bytes)) {
    return corrupt("an answer of a DataNode that is not what was asked for");
  }
  return response.length();
}

}  // namespace millrace::hdfs
