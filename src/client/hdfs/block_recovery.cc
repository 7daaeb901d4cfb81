// How a block gets on when its pipeline failed: without the node to blame, or with another in its
// place.
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "client/hdfs/block_writer.h"

namespace millrace::hdfs {
namespace {

constexpr std::uint32_t kMostFailures = 5;  // Of a pipeline that acknowledges nothing between them.
constexpr std::size_t kMostReplacements = 3;  // Nodes that are tried for one that is lost.
constexpr std::chrono::milliseconds kRestartPause{
    1000};  // Between the tries to reach one that restarts.

PipelineStage recovery_of(PipelineStage stage) {
  return static_cast<PipelineStage>(static_cast<std::uint32_t>(stage) | 1U);
}

bool wants_another(const ReplacementPolicy& policy, std::size_t replication, std::size_t left,
                   bool visible) {
  if (!policy.enabled || policy.when == ReplacementPolicy::When::kNever || left >= replication) {
    return false;
  }
  if (policy.when == ReplacementPolicy::When::kAlways) {
    return true;
  }
  return replication >= 3 && (left <= replication / 2 || visible);
}

bool is_among(std::span<const PipelineNode> nodes, const PipelineNode& node) {
  return std::any_of(nodes.begin(), nodes.end(), [&](const PipelineNode& other) {
    return other.info.id.uuid == node.info.id.uuid;
  });
}

}  // namespace

// Takes the pipeline's fault. Errors when nothing can be done about it now; the next call tries
// again.
Result<> BlockWriter::lose_pipeline() {
  const PipelineFault fault = *pipeline_.fault();
  pipeline_.close();
  window_.rewind();
  recovering_ = true;
  failures_ = window_.acked() == acked_at_failure_ ? failures_ + 1 : 1;
  acked_at_failure_ = window_.acked();
  const std::size_t bad = std::min(fault.node, nodes_.size() - 1);
  const PipelineNode& node = nodes_[bad];
  log_warning("hdfs", "{}: DataNode {} of the pipeline fails: {}", context_.file.path,
              node.address(), fault.why);
  if (fault.restarts && nodes_.size() == 1) {
    restart_until_ = std::chrono::steady_clock::now() + context_.options.restart_timeout;
    return {};
  }
  if (std::chrono::steady_clock::now() < restart_until_) {
    return {};
  }
  if (nodes_.size() == 1) {
    return transient("all DataNodes of the block have failed: " + fault.why);
  }
  if (failures_ > kMostFailures) {
    failures_ = 0;
    return transient("the pipeline failed again and again: " + fault.why);
  }
  lost_.push_back(node.info);
  nodes_.erase(nodes_.begin() + static_cast<std::ptrdiff_t>(bad));
  return {};
}

Result<> BlockWriter::rebuild(Patience patience) {
  for (;;) {
    if (nodes_.empty()) {
      return transient("no DataNode has the last block");
    }
    TRY(wait_for_restart(patience));
    if (recovering_ && stage_ != PipelineStage::kClose) {
      TRY(replace_lost_node(patience));
    }
    const LocatedBlock update = TRY(context_.name_node.update_block_for_pipeline(block_));
    Block next = block_;
    next.generation_stamp = update.block.generation_stamp;
    const PipelineStage stage = recovering_ ? recovery_of(stage_) : stage_;
    Result<> opened = pipeline_.open(request(stage, next, update.token), patience);
    if (opened.ok()) {
      return agree(next);
    }
    if (!pipeline_.fault()) {
      return opened;
    }
    TRY(lose_pipeline());
  }
}

// The NameNode and the nodes agree on who has the block now.
Result<> BlockWriter::agree(const Block& next) {
  Result<> updated =
      context_.name_node.update_pipeline(block_, next, ids_of(nodes_), storage_ids_of(nodes_));
  if (!updated.ok()) {
    pipeline_.close();
    recovering_ = true;
    return updated;
  }
  block_ = next;
  recovering_ = false;
  restart_until_ = SteadyTime::min();
  if (stage_ == PipelineStage::kClose) {
    window_.acknowledge_all();  // Only the end of the block was left, which the nodes took with the
                                // set-up.
    pipeline_.close();
  } else {
    stage_ = PipelineStage::kDataStreaming;
  }
  return {};
}

Result<> BlockWriter::wait_for_restart(Patience patience) {
  if (std::chrono::steady_clock::now() < restart_until_) {
    TRY(patience.pause(kRestartPause));
  }
  return {};
}

Result<> BlockWriter::replace_lost_node(Patience patience) {
  const ReplacementPolicy& policy = context_.options.replacement;
  if (!wants_another(policy, context_.replication, nodes_.size(), visible_)) {
    return {};
  }
  Result<> replaced = take_in_another(patience);
  const bool enough =
      policy.best_effort || (policy.min_replication > 0 && nodes_.size() >= policy.min_replication);
  if (replaced.ok() || !enough || replaced.error().fault() == Fault::kClosed) {
    return std::move(replaced).with("no DataNode for the one that failed");
  }
  log_warning("hdfs", "{}: goes on with {} DataNodes: {}", context_.file.path, nodes_.size(),
              replaced.error().message());
  return {};
}

Result<> BlockWriter::take_in_another(Patience patience) {
  Result<> copied = transient("no other DataNode is there");
  std::vector<DatanodeInfo> excluded = lost_;
  for (std::size_t tries = 0; tries < kMostReplacements; ++tries) {
    const LocatedBlock extended = TRY(context_.name_node.get_additional_datanode(
        context_.file, block_, infos_of(nodes_), storage_ids_of(nodes_), excluded, 1));
    const std::vector<PipelineNode> all = pipeline_of(extended);
    const auto added = std::find_if(
        all.begin(), all.end(), [&](const PipelineNode& node) { return !is_among(nodes_, node); });
    if (added == all.end()) {
      return copied;
    }
    copied = copy_block(nodes_[tries % nodes_.size()], extended, *added, patience);
    if (copied.ok()) {
      nodes_.push_back(*added);
      return {};
    }
    excluded.push_back(added->info);
  }
  return copied;
}

Result<> BlockWriter::copy_block(const PipelineNode& from, const LocatedBlock& extended,
                                 const PipelineNode& to, Patience patience) {
  const StreamOptions& options = context_.options;
  // The node answers when it has sent all that it has.
  const Patience copied_by = patience.within(2 * options.read_timeout(2));
  DataSocket socket = TRY(connect_data_node(from.info.id, options, patience));
  TRY(socket.send_all(
      encode_transfer_block(context_.name_node.client_name(), block_, extended.token, {&to, 1}),
      copied_by));
  const std::string bytes = TRY(socket.receive_message(kMostAnswerBytes, copied_by));
  const TransferAnswer answer = TRY(decode_answer(bytes, false));
  if (answer.status != TransferStatus::kSuccess) {
    return transient(fmt::format("DataNode {} cannot copy the block to {}: {} {}", socket.peer(),
                                 to.address(), to_string(answer.status), answer.message));
  }
  return {};
}

}  // namespace millrace::hdfs
