#include "client/hdfs/chunk_checksums.h"

#include <fmt/core.h>

#include <bit>
#include <cstring>

#include "base/checksum.h"

namespace millrace::hdfs {
namespace {

constexpr std::uint64_t kMostChunkBytes = 16 * 1024 * 1024;

std::uint32_t big_endian(std::uint32_t value) {
  static_assert(std::endian::native == std::endian::little);
  return __builtin_bswap32(value);
}

}  // namespace

std::size_t ChunkChecksums::bytes_for(std::size_t data_bytes) const {
  return (data_bytes + bytes_per_chunk - 1) / bytes_per_chunk * bytes_each();
}

std::uint32_t ChunkChecksums::sum(std::string_view chunk) const {
  return type == ChecksumType::kCrc32c ? crc32c(chunk) : crc32(chunk);
}

void ChunkChecksums::compute(std::string_view data, char* out) const {
  if (type == ChecksumType::kNull) {
    return;
  }
  for (; !data.empty(); out += sizeof(std::uint32_t)) {
    const std::string_view chunk = data.substr(0, bytes_per_chunk);
    const std::uint32_t value = big_endian(sum(chunk));
    std::memcpy(out, &value, sizeof value);
    data.remove_prefix(chunk.size());
  }
}

Result<> ChunkChecksums::verify(std::string_view data, std::string_view sums) const {
  if (sums.size() != bytes_for(data.size())) {
    return corrupt(
        fmt::format("{} bytes of checksums for {} bytes of data", sums.size(), data.size()));
  }
  if (type == ChecksumType::kNull) {
    return {};
  }
  for (std::size_t at = 0; at < data.size(); at += bytes_per_chunk) {
    std::uint32_t expected;
    std::memcpy(&expected, sums.data() + at / bytes_per_chunk * sizeof expected, sizeof expected);
    if (big_endian(sum(data.substr(at, bytes_per_chunk))) != expected) {
      return corrupt(fmt::format("a checksum that does not fit the data at byte {}", at));
    }
  }
  return {};
}

Result<ChunkChecksums> checked_checksums(std::uint64_t type, std::uint64_t bytes_per_chunk) {
  if (type > static_cast<std::uint64_t>(ChecksumType::kCrc32c)) {
    return corrupt(fmt::format("checksums of an unknown type ({})", type));
  }
  if (bytes_per_chunk == 0 || bytes_per_chunk > kMostChunkBytes) {
    return corrupt(fmt::format("checksums of {} bytes each", bytes_per_chunk));
  }
  return ChunkChecksums{static_cast<ChecksumType>(type),
                        static_cast<std::uint32_t>(bytes_per_chunk)};
}

}  // namespace millrace::hdfs
