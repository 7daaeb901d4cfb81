// A DataNode's part in a pipeline.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "client/hdfs/block.h"

namespace millrace::hdfs {

// A DataNode and the storage in which it has the block.
struct PipelineNode {
  DatanodeInfo info;
  StorageType storage_type = StorageType::kDisk;
  std::string storage_id;

  std::string address() const;  // "10.0.0.7:9866", as DataNodes name each other.
};

std::vector<PipelineNode> pipeline_of(const LocatedBlock& located);

// As the NameNode is told of them.
std::vector<DatanodeInfo> infos_of(std::span<const PipelineNode> nodes);
std::vector<DatanodeId> ids_of(std::span<const PipelineNode> nodes);
std::vector<std::string> storage_ids_of(std::span<const PipelineNode> nodes);

}  // namespace millrace::hdfs
