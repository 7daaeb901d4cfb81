// The head of a packet of the data transfer protocol: two lengths, then PacketHeaderProto, read and
// written by hand. The checksums of the data follow, then the data. See
// docs/formats/hdfs-data-transfer.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace millrace::hdfs {

constexpr std::int64_t kHeartbeatSeqno = -1;
constexpr std::size_t kPacketLengthsBytes = 6;                // int32 payload, int16 header.
constexpr std::uint32_t kMostPacketBytes = 16 * 1024 * 1024;  // Of the payload; more is refused.

struct PacketHeader {
  std::int64_t offset_in_block = 0;  // Of the first byte of data.
  std::int64_t seqno = 0;            // Counts up within a stream.
  bool last_in_block = false;        // Holds no data: the block is full or its file closes.
  std::uint32_t data_bytes = 0;
  bool sync_block = false;  // The DataNode puts the block on disk before it acknowledges.
};

// The lengths and the header, encoded.
class PacketHead {
 public:
  PacketHead() = default;
  PacketHead(const PacketHeader& header, std::uint32_t checksum_bytes);
  std::string_view bytes() const { return {bytes_.data(), size_}; }

 private:
  std::array<char, kPacketLengthsBytes + 27> bytes_;
  std::size_t size_ = 0;
};

struct PacketLengths {
  std::uint32_t payload_bytes = 0;  // Checksums and data.
  std::uint32_t header_bytes = 0;
};

// Of the first kPacketLengthsBytes of a packet. kCorrupt when no packet can have them.
Result<PacketLengths> decode_packet_lengths(std::string_view bytes);
// Of a whole PacketHeaderProto. kCorrupt when a field is missing or cannot be.
Result<PacketHeader> decode_packet_header(std::string_view bytes);

}  // namespace millrace::hdfs
