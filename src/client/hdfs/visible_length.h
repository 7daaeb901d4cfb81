// How many bytes of a block that is being written a DataNode shows to readers.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "client/hdfs/block.h"
#include "client/hdfs/rpc_connection.h"

namespace millrace::hdfs {

// Asks it, over RPC. ENOENT when it has no such replica. `use_host_name`:
// dfs.client.use.datanode.hostname.
Result<std::uint64_t> ask_visible_length(const DatanodeId& node, const Block& block,
                                         const std::string& user, const RpcOptions& options,
                                         bool use_host_name);

}  // namespace millrace::hdfs
