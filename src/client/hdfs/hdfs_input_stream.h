// A file of HDFS being read.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "client/dfs/file_system.h"
#include "client/hdfs/block_reader.h"
#include "client/hdfs/name_node.h"
#include "client/hdfs/stream_context.h"

namespace millrace::hdfs {

// How many bytes of a block that is being written a DataNode shows to readers. ENOENT when it has
// no replica.
using VisibleLength =
    std::function<Result<std::uint64_t>(const DatanodeId&, const Block&, const BlockToken&)>;

// Reads on over one connection while it is read in order. A DataNode that fails, or whose bytes do
// not fit their checksums, is not asked again for a while; another one is. Threads: one at a time.
class HdfsInputStream final : public dfs::InputStream {
 public:
  // Asks where the blocks are, and how long the last one is while the file is still written.
  // `name_node`, `options` and `closed` (the file system was closed) outlive the stream.
  static Result<std::unique_ptr<HdfsInputStream>> open(NameNode& name_node, const std::string& path,
                                                       const VisibleLength& visible_length,
                                                       const StreamOptions& options,
                                                       const std::atomic<bool>& closed);

  Result<std::size_t> read_at(std::span<char> space, std::uint64_t offset) override;
  std::uint64_t length() const override { return length_; }

 private:
  HdfsInputStream(NameNode& name_node, std::string path, const StreamOptions& options,
                  const std::atomic<bool>& closed)
      : name_node_(name_node), path_(std::move(path)), options_(options), closed_(closed) {}

  Patience patience() const;
  Result<> locate(std::uint64_t offset);
  Result<> measure_last_block(const LocatedBlock& last, const VisibleLength& visible_length);
  const LocatedBlock* block_at(std::uint64_t offset) const;
  // Reads within one block.
  Result<> read_block(std::span<char> space, std::uint64_t offset, Patience patience);
  Result<> read_from_a_node(const LocatedBlock& block, std::span<char> space, std::uint64_t within,
                            Patience patience);

  NameNode& name_node_;
  const std::string path_;
  const StreamOptions& options_;
  const std::atomic<bool>& closed_;
  LocatedBlocks located_;  // Those from where was read last.
  std::optional<LocatedBlock>
      open_block_;  // The last one while it is written, with its visible length.
  std::uint64_t length_ = 0;
  std::set<std::string> failed_;  // Uuids of DataNodes.
  std::optional<BlockReader> reader_;
  std::uint64_t reader_block_ = 0;  // Its id.
};

}  // namespace millrace::hdfs
