// Checksums of the formats we read and write, by ISA-L's fast paths. Threads: any.
#pragma once

#include <cstdint>
#include <string_view>

namespace millrace {

// CRC-32C (Castagnoli), as RFC 3720 and iSCSI give it: crc32c("123456789") == 0xE3069283.
// `crc` continues an earlier call.
std::uint32_t crc32c(std::string_view bytes, std::uint32_t crc = 0);

// CRC-32 of gzip, zip and Avro's snappy blocks: crc32("123456789") == 0xCBF43926.
std::uint32_t crc32(std::string_view bytes, std::uint32_t crc = 0);

}  // namespace millrace
