#include "client/hdfs/pipeline_node.h"

#include <fmt/core.h>

#include <functional>

namespace millrace::hdfs {
namespace {

template <class Of>
auto each(std::span<const PipelineNode> nodes, Of of) {
  std::vector<decltype(of(nodes.front()))> all;
  all.reserve(nodes.size());
  for (const PipelineNode& node : nodes) {
    all.push_back(of(node));
  }
  return all;
}

}  // namespace

std::string PipelineNode::address() const {
  return fmt::format("{}:{}", info.id.ip_address, info.id.transfer_port);
}

std::vector<PipelineNode> pipeline_of(const LocatedBlock& located) {
  std::vector<PipelineNode> nodes;
  for (std::size_t n = 0; n < located.nodes.size(); ++n) {
    PipelineNode node{
        .info = located.nodes[n], .storage_type = StorageType::kDisk, .storage_id = {}};
    if (n < located.storage_types.size()) {
      node.storage_type = located.storage_types[n];
    }
    if (n < located.storage_ids.size()) {
      node.storage_id = located.storage_ids[n];
    }
    nodes.push_back(std::move(node));
  }
  return nodes;
}

std::vector<DatanodeInfo> infos_of(std::span<const PipelineNode> nodes) {
  return each(nodes, [](const PipelineNode& node) { return node.info; });
}

std::vector<DatanodeId> ids_of(std::span<const PipelineNode> nodes) {
  return each(nodes, [](const PipelineNode& node) { return node.info.id; });
}

std::vector<std::string> storage_ids_of(std::span<const PipelineNode> nodes) {
  return each(nodes, [](const PipelineNode& node) { return node.storage_id; });
}

}  // namespace millrace::hdfs
