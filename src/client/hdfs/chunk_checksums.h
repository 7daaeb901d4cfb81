// The checksums that travel beside the data of a block: one of 4 bytes, big-endian, for each chunk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "client/hdfs/block.h"

namespace millrace::hdfs {

// How chunks are summed. Threads: any.
struct ChunkChecksums {
  ChecksumType type = ChecksumType::kCrc32c;
  std::uint32_t bytes_per_chunk = 512;

  std::uint32_t bytes_each() const { return type == ChecksumType::kNull ? 0 : 4; }
  // The bytes of the checksums of so much data that begins with a chunk.
  std::size_t bytes_for(std::size_t data_bytes) const;
  // Writes bytes_for(data.size()) bytes.
  void compute(std::string_view data, char* out) const;
  // kCorrupt names the first byte of the chunk that does not fit its sum.
  Result<> verify(std::string_view data, std::string_view sums) const;

 private:
  std::uint32_t sum(std::string_view chunk) const;
};

// kCorrupt for a type or a size of chunks that no DataNode has.
Result<ChunkChecksums> checked_checksums(std::uint64_t type, std::uint64_t bytes_per_chunk);

}  // namespace millrace::hdfs
