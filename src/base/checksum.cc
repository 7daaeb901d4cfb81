#include "base/checksum.h"

#include <isa-l/crc.h>

#include <cstddef>

namespace millrace {
namespace {

// ISA-L takes lengths as int and, for CRC-32C, a pointer that it does not write through.
constexpr std::size_t kPiece = std::size_t{1} << 30;

unsigned char* bytes_of(std::string_view text) {
  return const_cast<unsigned char*>(reinterpret_cast<const unsigned char*>(text.data()));
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes, std::uint32_t crc) {
  crc = ~crc;
  while (!bytes.empty()) {
    const std::string_view piece = bytes.substr(0, kPiece);
    crc = crc32_iscsi(bytes_of(piece), static_cast<int>(piece.size()), crc);
    bytes.remove_prefix(piece.size());
  }
  return ~crc;
}

std::uint32_t crc32(std::string_view bytes, std::uint32_t crc) {
  return crc32_gzip_refl(crc, bytes_of(bytes), bytes.size());
}

}  // namespace millrace
