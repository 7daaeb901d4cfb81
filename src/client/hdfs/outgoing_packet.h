// A packet on its way to a pipeline.
#pragma once

#include <sys/uio.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "client/hdfs/chunk_checksums.h"
#include "client/hdfs/packet_header.h"

namespace millrace::hdfs {

// Gathers data, is sealed, is sent once or, after a failure of the pipeline, more often, until it
// is acknowledged. The data lie here alone. Threads: one at a time.
class OutgoingPacket {
 public:
  // Room for `room` bytes of the block from `offset`. None for the end of a block.
  OutgoingPacket(std::int64_t offset, std::size_t room, const ChunkChecksums& checksums);

  std::size_t size() const { return size_; }  // Bytes of data.
  std::size_t room() const { return room_ - size_; }
  std::int64_t offset() const { return header_.offset_in_block; }
  std::int64_t end() const { return offset() + static_cast<std::int64_t>(size_); }
  std::string_view data() const { return {data_begin(), size_}; }
  std::size_t memory() const { return sums_bytes_ + room_; }

  // At most room() bytes.
  void append(std::string_view bytes);
  // Gives it its number and sums its chunks. No more is appended.
  void seal(std::int64_t seqno, bool last_in_block, bool sync_block);

  // Of a sealed one:
  const PacketHeader& header() const { return header_; }
  // What goes over the wire from byte `from` on; gives the pieces used.
  std::span<const iovec> pieces(std::size_t from, std::array<iovec, 3>& space) const;
  std::size_t wire_size() const;

 private:
  char* data_begin() const { return bytes_.get() + sums_bytes_; }

  ChunkChecksums checksums_;
  std::size_t room_;
  std::size_t sums_bytes_;         // Room for sums.
  std::unique_ptr<char[]> bytes_;  // Sums, then data.
  std::size_t size_ = 0;
  PacketHeader header_;
  PacketHead head_;
};

}  // namespace millrace::hdfs
