// Between the messages of HDFS and the structs that the client hands around. Included by
// rpc_name_node.cc and its tests alone, since it brings what protobuf generated.
#pragma once

#include <string>

#include "base/result.h"
#include "client/hdfs/block.h"
#include "client/hdfs/proto/blocks.pb.h"

namespace millrace::hdfs {

void to_message(const Block& block, proto::ExtendedBlock& message);
void to_message(const DatanodeId& node, proto::DatanodeID& message);
void to_message(const DatanodeInfo& node, proto::DatanodeInfo& message);

LocatedBlock from_message(const proto::LocatedBlock& message);
LocatedBlocks from_message(const proto::LocatedBlocks& message);
// `path`: of the file; of a folder's entry, the path of that.
FileInfo from_message(const proto::HdfsFileStatus& message, std::string path);
ServerDefaults from_message(const proto::FsServerDefaults& message);

}  // namespace millrace::hdfs
