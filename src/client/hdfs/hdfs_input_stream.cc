#include "client/hdfs/hdfs_input_stream.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/log.h"

namespace millrace::hdfs {
namespace {

constexpr std::uint64_t kBlocksAtOnce = 10;              // Located with one call.
constexpr std::uint64_t kLocated = kBlocksAtOnce << 27;  // Bytes, with blocks of the usual size.
constexpr int kMostRounds = 3;  // Each asks the NameNode, then every DataNode.
constexpr std::chrono::milliseconds kPauseOfRound{300};

}  // namespace

Result<std::unique_ptr<HdfsInputStream>> HdfsInputStream::open(NameNode& name_node,
                                                               const std::string& path,
                                                               const VisibleLength& visible_length,
                                                               const StreamOptions& options,
                                                               const std::atomic<bool>& closed) {
  std::unique_ptr<HdfsInputStream> stream(new HdfsInputStream(name_node, path, options, closed));
  TRY(stream->locate(0));
  stream->length_ = stream->located_.file_length;
  const std::optional<LocatedBlock> last = stream->located_.last_block;
  if (last && !stream->located_.last_block_complete) {
    TRY(stream->measure_last_block(*last, visible_length).with("open " + path));
  }
  return stream;
}

Patience HdfsInputStream::patience() const {
  return Patience{SteadyTime::max(), &closed_}.within(options_.call_timeout);
}

Result<> HdfsInputStream::locate(std::uint64_t offset) {
  located_ = TRY(name_node_.get_block_locations(path_, offset, kLocated));
  return {};
}

// Readers see what all replicas have; each of them knows how much that is.
Result<> HdfsInputStream::measure_last_block(const LocatedBlock& last,
                                             const VisibleLength& visible_length) {
  open_block_ = last;
  open_block_->block.length_bytes = 0;
  Result<> answered = last.nodes.empty() ? Result<>() : transient("no DataNode");
  for (const DatanodeInfo& node : last.nodes) {
    const Result<std::uint64_t> visible = visible_length(node.id, last.block, last.token);
    if (visible.ok()) {
      open_block_->block.length_bytes = *visible;
      length_ += *visible;
      return {};
    }
    answered = visible.error();
  }
  // A block that no DataNode has begun yet has no bytes.
  return !answered.ok() && answered.error().error_number() == ENOENT ? Result<>() : answered;
}

const LocatedBlock* HdfsInputStream::block_at(std::uint64_t offset) const {
  const auto holds = [&](const LocatedBlock& block) {
    return offset >= block.offset && offset - block.offset < block.block.length_bytes;
  };
  if (open_block_ && holds(*open_block_)) {
    return &*open_block_;
  }
  const auto found = std::find_if(located_.blocks.begin(), located_.blocks.end(), holds);
  return found != located_.blocks.end() ? &*found : nullptr;
}

Result<std::size_t> HdfsInputStream::read_at(std::span<char> space, std::uint64_t offset) {
  const std::uint64_t there = offset < length_ ? length_ - offset : 0;
  space = space.first(static_cast<std::size_t>(std::min<std::uint64_t>(space.size(), there)));
  const Patience until = patience();
  std::size_t count = 0;
  while (count < space.size()) {
    if (block_at(offset + count) == nullptr) {
      TRY(locate(offset + count));
    }
    const LocatedBlock* const block = block_at(offset + count);
    if (block == nullptr) {
      return transient(path_ + " became shorter while it was read");
    }
    const std::uint64_t left = block->offset + block->block.length_bytes - (offset + count);
    const std::span<char> part = space.subspan(count).first(
        static_cast<std::size_t>(std::min<std::uint64_t>(space.size() - count, left)));
    TRY(read_block(part, offset + count, until).with("read " + path_));
    count += part.size();
  }
  return count;
}

Result<> HdfsInputStream::read_block(std::span<char> space, std::uint64_t offset,
                                     Patience patience) {
  for (int round = 1;; ++round) {
    const LocatedBlock* const block = block_at(offset);
    if (block == nullptr) {
      return transient("the block is gone");
    }
    const LocatedBlock& here = *block;
    Result<> read = read_from_a_node(here, space, offset - here.offset, patience);
    if (read.ok() || round == kMostRounds || read.error().fault() == Fault::kClosed ||
        read.error().fault() == Fault::kConfig || patience.over()) {
      return read;
    }
    TRY(patience.pause(kPauseOfRound));
    failed_.clear();
    TRY(locate(offset));
  }
}

Result<> HdfsInputStream::read_from_a_node(const LocatedBlock& block, std::span<char> space,
                                           std::uint64_t within, Patience patience) {
  if (reader_ && reader_block_ == block.block.id && reader_->offset() == within) {
    Result<> read = reader_->read(space, patience);
    if (read.ok() || patience.over()) {
      return read;
    }
    log_warning("hdfs", "{}: {}", path_, read.error().message());
  }
  reader_.reset();
  Result<> read = transient("no DataNode that answers has the block");
  for (const DatanodeInfo& node : block.nodes) {
    if (failed_.count(node.id.uuid) > 0) {
      continue;
    }
    Result<BlockReader> opened = BlockReader::open(block, node.id, within, block.block.length_bytes,
                                                   name_node_.client_name(), options_, patience);
    read = opened.ok() ? opened->read(space, patience) : Result<>(opened.error());
    if (read.ok()) {
      reader_.emplace(std::move(opened).value());
      reader_block_ = block.block.id;
      return {};
    }
    if (read.error().fault() == Fault::kClosed || read.error().fault() == Fault::kConfig ||
        patience.over()) {
      return read;
    }
    log_warning("hdfs", "{}: {}", path_, read.error().message());
    failed_.insert(node.id.uuid);
  }
  return read;
}

}  // namespace millrace::hdfs
