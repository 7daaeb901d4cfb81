// Reads a block from one DataNode.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "client/hdfs/data_socket.h"
#include "client/hdfs/packet_header.h"
#include "client/hdfs/stream_context.h"
#include "client/hdfs/transfer_messages.h"

namespace millrace::hdfs {

// The bytes of a block from an offset on, each held against its checksum. The DataNode sends ahead
// as far as the connection takes it. Errors: kTransient or kCorrupt, after which another DataNode
// is asked. Threads: one at a time.
class BlockReader {
 public:
  static Result<BlockReader> open(const LocatedBlock& block, const DatanodeId& node,
                                  std::uint64_t offset, std::uint64_t end,
                                  const std::string& client_name, const StreamOptions& options,
                                  Patience patience);
  // The same over a connection that is there.
  static Result<BlockReader> begin(DataSocket socket, const LocatedBlock& block,
                                   std::uint64_t offset, std::uint64_t end,
                                   const std::string& client_name, const StreamOptions& options,
                                   Patience patience);

  std::uint64_t offset() const { return offset_; }  // Within the block: what is read next.
  // Fills the space; `end` may not be passed.
  Result<> read(std::span<char> space, Patience patience);

 private:
  explicit BlockReader(const StreamOptions& options) : options_(&options) {}

  Result<> next_packet(Patience patience);
  Result<PacketHeader> receive_packet(Patience patience);
  Result<> finish(Patience patience);

  const StreamOptions* options_;
  DataSocket socket_;
  ChunkChecksums checksums_;
  std::uint64_t offset_ = 0;
  std::uint64_t end_ = 0;
  std::uint64_t packet_end_ = 0;  // Of the block, where the next packet begins.
  std::string packet_;            // Checksums and data.
  std::string_view unread_;       // In it.
};

}  // namespace millrace::hdfs
