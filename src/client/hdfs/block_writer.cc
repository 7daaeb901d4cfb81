#include "client/hdfs/block_writer.h"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/log.h"

namespace millrace::hdfs {

BlockWriter::BlockWriter(BlockWriterContext& context, std::optional<Block> previous)
    : context_(context),
      previous_(std::move(previous)),
      pipeline_(context.options),
      window_(0),
      stage_(PipelineStage::kSetupCreate) {}

BlockWriter::BlockWriter(BlockWriterContext& context, const LocatedBlock& last)
    : context_(context),
      pipeline_(context.options),
      window_(static_cast<std::int64_t>(last.block.length_bytes)),
      block_(last.block),
      nodes_(pipeline_of(last)),
      stage_(PipelineStage::kSetupAppend),
      allocated_(true),
      visible_(true) {}

void BlockWriter::push(OutgoingPacket packet) {
  window_.push(std::move(packet));
  if (pipeline_.is_open()) {
    Result<> sent = send();
    // Acks are taken when they are many, with one call for all.
    if (sent.ok() && window_.size() > context_.options.window_packets / 2) {
      sent = take_acks();
    }
    static_cast<void>(sent);  // Its fault stays in the pipeline.
  }
}

bool BlockWriter::full() const {
  return window_.size() >= context_.options.window_packets ||
         window_.memory() >= context_.options.window_bytes;
}

Result<> BlockWriter::wait_for(std::size_t most_unacknowledged, Patience patience) {
  while (window_.size() > most_unacknowledged) {
    if (!pipeline_.is_open() && !pipeline_.fault()) {
      TRY(open(patience));
    }
    Result<> step = pipeline_.is_open() ? send() : Result<>();
    if (step.ok() && pipeline_.is_open()) {
      step = take_acks();
    }
    if (step.ok() && pipeline_.is_open() && window_.size() > most_unacknowledged) {
      step = pipeline_.wait(window_, patience);
    }
    if (pipeline_.fault()) {
      TRY(lose_pipeline());
    } else if (!step.ok()) {
      return step;  // The patience ended, not the pipeline.
    }
  }
  return {};
}

Result<> BlockWriter::send() {
  const OutgoingPacket* const next = window_.unsent();
  if (next != nullptr && next->header().last_in_block) {
    stage_ = PipelineStage::kClose;
  }
  return pipeline_.send(window_);
}

Result<> BlockWriter::take_acks() {
  Result<> taken = pipeline_.take_acks(window_);
  block_.length_bytes = static_cast<std::uint64_t>(window_.acked());
  return taken;
}

void BlockWriter::keep_alive() {
  if (!pipeline_.is_open()) {
    return;
  }
  Result<> alive = take_acks();
  if (alive.ok()) {
    alive = pipeline_.keep_alive(window_);
  }
  if (!alive.ok() && pipeline_.fault()) {
    log_warning("hdfs", "{}: {}", context_.file.path, alive.error().message());
  }
}

std::uint32_t BlockWriter::live_replicas() const {
  if (!allocated_) {
    return context_.replication;
  }
  const std::size_t lost = pipeline_.fault() ? 1 : 0;
  return static_cast<std::uint32_t>(nodes_.size() - std::min(nodes_.size(), lost));
}

Result<> BlockWriter::open(Patience patience) {
  return allocated_ ? rebuild(patience) : create(patience);
}

WriteBlockRequest BlockWriter::request(PipelineStage stage, const Block& next,
                                       const BlockToken& token) const {
  WriteBlockRequest made;
  made.client_name = context_.name_node.client_name();
  made.block = block_;
  made.token = token;
  made.nodes = nodes_;
  made.stage = stage;
  made.min_bytes_received = block_.length_bytes;
  made.max_bytes_received =
      std::max(block_.length_bytes, static_cast<std::uint64_t>(window_.most_sent()));
  made.latest_generation_stamp = next.generation_stamp;
  made.checksums = context_.options.checksums;
  return made;
}

Result<> BlockWriter::create(Patience patience) {
  for (std::uint32_t tries = 0;; ++tries) {
    LocatedBlock located = TRY(allocate(patience));
    block_ = std::move(located.block);
    nodes_ = pipeline_of(located);
    if (nodes_.empty()) {
      return transient("the NameNode gave a block without a DataNode");
    }
    WriteBlockRequest setup = request(PipelineStage::kSetupCreate, block_, located.token);
    setup.latest_generation_stamp = 0;
    const Result<> opened = pipeline_.open(setup, patience);
    if (opened.ok()) {
      allocated_ = true;
      stage_ = PipelineStage::kDataStreaming;
      return {};
    }
    TRY(give_up_new_block(opened.error(), tries));
  }
}

// Errors unless another try is due.
Result<> BlockWriter::give_up_new_block(const Error& why, std::uint32_t tries) {
  const bool again = pipeline_.fault() && tries < context_.options.block_retries;
  if (pipeline_.fault()) {
    const PipelineNode& bad = nodes_[std::min(pipeline_.fault()->node, nodes_.size() - 1)];
    log_warning("hdfs", "{}: new block without DataNode {}: {}", context_.file.path, bad.address(),
                why.message());
    context_.excluded.add(bad.info, context_.options.exclude_for);
  }
  pipeline_.close();
  TRY(context_.name_node.abandon_block(context_.file, block_));
  if (!again) {
    return Error(why).with("cannot begin a block");
  }
  return {};
}

Result<LocatedBlock> BlockWriter::allocate(Patience patience) {
  Retries retries(context_.options, patience);
  for (;;) {
    Result<LocatedBlock> located =
        context_.name_node.add_block(context_.file, previous_, context_.excluded.now());
    if (located.ok() || located.error().fault() != Fault::kTransient) {
      return located;
    }
    if (located.error().error_number() == EAGAIN) {
      if (!TRY(retries.again())) {
        return located;
      }
    } else if (context_.excluded.empty()) {
      return located;
    } else {
      context_.excluded.clear();  // None may be left without them.
    }
  }
}

void ExcludedNodes::add(DatanodeInfo node, std::chrono::milliseconds time) {
  nodes_.emplace_back(std::move(node), std::chrono::steady_clock::now() + time);
}

std::vector<DatanodeInfo> ExcludedNodes::now() {
  const SteadyTime time = std::chrono::steady_clock::now();
  std::erase_if(nodes_, [&](const auto& node) { return node.second <= time; });
  std::vector<DatanodeInfo> all;
  for (const auto& node : nodes_) {
    all.push_back(node.first);
  }
  return all;
}

}  // namespace millrace::hdfs
