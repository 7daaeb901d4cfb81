// Writes one block: sends its packets through a pipeline, and mends the pipeline when a DataNode
// fails.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "client/hdfs/name_node.h"
#include "client/hdfs/packet_window.h"
#include "client/hdfs/pipeline.h"
#include "client/hdfs/pipeline_node.h"
#include "client/hdfs/stream_context.h"

namespace millrace::hdfs {

// DataNodes that failed: no new block is put there for a while. Threads: one at a time.
class ExcludedNodes {
 public:
  void add(DatanodeInfo node, std::chrono::milliseconds time);
  std::vector<DatanodeInfo> now();
  bool empty() const { return nodes_.empty(); }
  void clear() { nodes_.clear(); }

 private:
  std::vector<std::pair<DatanodeInfo, SteadyTime>> nodes_;  // Each until then.
};

// What the blocks of a file have in common. Borrowed by their writers.
struct BlockWriterContext {
  NameNode& name_node;
  const WrittenFile& file;
  const StreamOptions& options;
  std::uint32_t replication = 0;
  ExcludedNodes excluded;
};

// Durable: a packet that is acknowledged is on every node of the pipeline, in memory or, where it
// says so, on disk. Repeats: after a failure what is not acknowledged is sent again; the nodes keep
// one copy. Threads: one at a time. Nothing waits but wait_for().
class BlockWriter {
 public:
  BlockWriter(BlockWriterContext& context, std::optional<Block> previous);  // A new block.
  BlockWriter(BlockWriterContext& context, const LocatedBlock& last);       // Goes on with one.

  // Takes a sealed packet and sends what goes. A failure shows in wait_for().
  void push(OutgoingPacket packet);
  bool full() const;                                             // More should wait.
  std::size_t unacknowledged() const { return window_.size(); }  // Packets.
  // Waits until at most so many packets are unacknowledged. kTransient when the block cannot be
  // written on now; calling again tries again.
  Result<> wait_for(std::size_t most_unacknowledged, Patience patience);
  // To be called every few seconds.
  void keep_alive();

  bool is_allocated() const { return allocated_; }
  // With the bytes that are acknowledged.
  const Block& block() const { return block_; }
  std::uint32_t live_replicas() const;
  void set_visible() { visible_ = true; }  // Readers may have seen it.

 private:
  Result<> open(Patience patience);
  Result<> create(Patience patience);
  Result<LocatedBlock> allocate(Patience patience);
  Result<> give_up_new_block(const Error& why, std::uint32_t tries);
  Result<> rebuild(Patience patience);
  Result<> agree(const Block& next);
  Result<> send();
  Result<> take_acks();
  Result<> lose_pipeline();
  Result<> wait_for_restart(Patience patience);
  Result<> replace_lost_node(Patience patience);
  Result<> take_in_another(Patience patience);
  Result<> copy_block(const PipelineNode& from, const LocatedBlock& extended,
                      const PipelineNode& to, Patience patience);
  WriteBlockRequest request(PipelineStage stage, const Block& next, const BlockToken& token) const;

  BlockWriterContext& context_;
  std::optional<Block> previous_;
  Pipeline pipeline_;
  PacketWindow window_;
  Block block_;
  std::vector<PipelineNode> nodes_;
  PipelineStage stage_;
  bool allocated_ = false;
  bool recovering_ = false;  // A pipeline of this block failed and is not replaced yet.
  bool visible_ = false;
  std::uint32_t failures_ = 0;                    // In a row, without an ack between them.
  std::int64_t acked_at_failure_ = -1;            // Bytes.
  std::vector<DatanodeInfo> lost_;                // Not taken into this pipeline again.
  SteadyTime restart_until_ = SteadyTime::min();  // Until then the failed node may come back.
};

}  // namespace millrace::hdfs
