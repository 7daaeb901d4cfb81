// A NameNode for tests of the streams: one file, and what it was told of it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <string>
#include <vector>

#include "client/hdfs/fake_data_node.h"
#include "client/hdfs/name_node.h"

namespace millrace::hdfs::testing_kit {

// Gives blocks to its DataNodes, the first ones first. Threads: one at a time.
class FakeNameNode final : public NameNode {
 public:
  explicit FakeNameNode(std::size_t data_nodes) {
    for (std::size_t n = 0; n < data_nodes; ++n) {
      nodes.push_back(std::make_unique<FakeDataNode>(replicas));
    }
  }

  FakeReplicas replicas;
  std::vector<std::unique_ptr<FakeDataNode>> nodes;
  std::size_t replication = 3;
  std::vector<Block> blocks;              // Of the file; the last one as it was told last.
  std::atomic<std::size_t> renewals = 0;  // Of the lease; by any thread.
  std::size_t abandoned = 0, pipelines = 0, fsyncs = 0;
  std::size_t not_yet = 0;        // So many calls of add_block or complete come too early.
  std::size_t pipeline_size = 0;  // Of the last update.
  bool completed = false;
  bool open_last = false;  // To readers the last block is still being written.

  // What the DataNodes have of the file.
  std::string contents() {
    std::string all;
    for (const Block& block : blocks) {
      all += replicas.of(block.id).bytes;
    }
    return all;
  }

  const std::string& client_name() const override { return client_; }

  Result<LocatedBlock> add_block(const WrittenFile&, const std::optional<Block>& previous,
                                 const std::vector<DatanodeInfo>& excluded) override {
    if (is_early()) {
      return Error(Fault::kTransient, "not replicated yet", EAGAIN);
    }
    if (pick(excluded, replication).empty()) {
      return transient("could only be written to 0 of the 1 minReplication nodes");
    }
    settle(previous);
    blocks.push_back({"pool", next_id_++, 1000 + next_id_, 0});
    return located(blocks.back(), pick(excluded, replication));
  }
  Result<> abandon_block(const WrittenFile&, const Block& block) override {
    EXPECT_EQ(block.id, blocks.back().id);
    blocks.pop_back();
    ++abandoned;
    return {};
  }
  Result<LocatedBlock> get_additional_datanode(const WrittenFile&, const Block& block,
                                               const std::vector<DatanodeInfo>& existing,
                                               const std::vector<std::string>& storages,
                                               const std::vector<DatanodeInfo>& excluded,
                                               std::uint32_t) override {
    EXPECT_EQ(existing.size(), storages.size());
    std::vector<DatanodeInfo> not_these = existing;
    not_these.insert(not_these.end(), excluded.begin(), excluded.end());
    std::vector<DatanodeInfo> all = existing;
    for (const DatanodeInfo& node : pick(not_these, 1)) {
      all.push_back(node);
    }
    return located(block, all);
  }
  Result<bool> complete(const WrittenFile&, const std::optional<Block>& last) override {
    if (is_early()) {
      return false;
    }
    settle(last);
    completed = true;
    return true;
  }
  Result<> fsync(const WrittenFile&, std::optional<std::uint64_t>) override {
    ++fsyncs;
    return {};
  }
  Result<LocatedBlock> update_block_for_pipeline(const Block& block) override {
    Block next = block;
    next.generation_stamp = ++generation_;
    return located(next, {});
  }
  Result<> update_pipeline(const Block& before, const Block& now,
                           const std::vector<DatanodeId>& ids,
                           const std::vector<std::string>& storages) override {
    EXPECT_EQ(before.id, now.id);
    EXPECT_EQ(ids.size(), storages.size());
    EXPECT_EQ(replicas.of(now.id).generation_stamp, now.generation_stamp);
    blocks.back() = now;
    pipeline_size = ids.size();
    ++pipelines;
    return {};
  }
  Result<LocatedBlocks> get_block_locations(const std::string&, std::uint64_t,
                                            std::uint64_t) override {
    LocatedBlocks all;
    for (const Block& block : blocks) {
      LocatedBlock one = located(block, pick({}, replication));
      one.offset = all.file_length;
      all.file_length += block.length_bytes;
      all.blocks.push_back(one);
    }
    if (open_last) {
      all.under_construction = true;
      all.file_length = all.blocks.back().offset;
      all.last_block = all.blocks.back();
      all.blocks.pop_back();
    }
    return all;
  }

  Result<FileInfo> create(const NewFile&) override { return none(); }
  Result<AppendedFile> append(const std::string&) override { return none(); }
  Result<> rename(const std::string&, const std::string&) override { return none(); }
  Result<bool> remove(const std::string&, bool) override { return none(); }
  Result<> mkdirs(const std::string&, std::uint32_t) override { return none(); }
  Result<std::vector<FileInfo>> get_listing(const std::string&) override { return none(); }
  Result<> renew_lease() override {
    ++renewals;
    return {};
  }
  Result<bool> recover_lease(const std::string&) override { return none(); }
  Result<bool> is_file_closed(const std::string&) override { return none(); }
  Result<FileInfo> get_file_info(const std::string&) override { return none(); }
  Result<bool> truncate(const std::string&, std::uint64_t) override { return none(); }
  Result<> set_permission(const std::string&, std::uint32_t) override { return none(); }
  Result<ServerDefaults> get_server_defaults() override { return none(); }

  static LocatedBlock located(const Block& block, const std::vector<DatanodeInfo>& nodes) {
    LocatedBlock made;
    made.block = block;
    made.nodes = nodes;
    for (const DatanodeInfo& node : nodes) {
      made.storage_ids.push_back("storage-" + node.id.uuid);
    }
    return made;
  }
  std::vector<DatanodeInfo> pick(const std::vector<DatanodeInfo>& excluded,
                                 std::size_t count) const {
    std::vector<DatanodeInfo> picked;
    for (const auto& node : nodes) {
      const DatanodeInfo info = node->info();
      if (picked.size() < count &&
          std::find(excluded.begin(), excluded.end(), info) == excluded.end()) {
        picked.push_back(info);
      }
    }
    return picked;
  }

 private:
  static Error none() { return transient("the fake NameNode has no such call"); }
  bool is_early() {
    not_yet -= not_yet > 0 ? 1 : 0;
    return not_yet > 0;
  }
  // A block that is whole: as long as its replica, which is closed.
  void settle(const std::optional<Block>& last) {
    if (!last) {
      EXPECT_TRUE(blocks.empty());
      return;
    }
    ASSERT_FALSE(blocks.empty());
    EXPECT_EQ(last->id, blocks.back().id);
    const FakeReplica replica = replicas.of(last->id);
    EXPECT_TRUE(replica.finalized);
    EXPECT_EQ(last->length_bytes, replica.bytes.size());
    EXPECT_EQ(last->generation_stamp, replica.generation_stamp);
    blocks.back() = *last;
  }

  const std::string client_ = "client-1";
  std::uint64_t next_id_ = 1;
  std::uint64_t generation_ = 2000;
};

}  // namespace millrace::hdfs::testing_kit
