#include "channel/file/format.h"

#include <cstddef>
#include <cstring>
#include <random>
#include <type_traits>

#include "base/checksum.h"
#include "channel/file/sealing.h"

namespace millrace::file_channel {
namespace {

constexpr std::uint32_t kEventSeed = 0x4D524556;
constexpr std::uint64_t kLongestRecord = std::uint64_t{1} << 33;

static_assert(std::is_trivially_copyable_v<SegmentHeader>);
static_assert(std::is_trivially_copyable_v<RecordHeader>);

template <class T>
std::string_view bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

std::uint32_t record_header_crc(const RecordHeader& header) {
  return crc32c(bytes_of(header).substr(offsetof(RecordHeader, generation)));
}

std::uint64_t random_bits() {
  static thread_local std::random_device device;
  return (static_cast<std::uint64_t>(device()) << 32) | device();
}

bool lengths_agree(const RecordHeader& header, bool is_sealed) {
  if (header.length > kLongestRecord || header.length < sizeof header) {
    return false;
  }
  std::uint64_t rest = header.length - sizeof header;
  if (is_sealed) {
    const std::optional<std::uint64_t> payload = sealed_payload(rest);
    if (!payload) {
      return false;
    }
    rest = *payload;
  }
  if (header.magic == kAckMagic) {
    return rest == std::uint64_t{header.entries} * sizeof(AckEntry) + header.intent_bytes;
  }
  return header.entries > 0 &&
         rest >= std::uint64_t{header.entries} * sizeof(IndexEntry) + header.headers_bytes &&
         header.first + header.entries > header.first;
}

}  // namespace

Id Id::random() {
  Id id;
  for (std::size_t half = 0; half < 2; ++half) {
    const std::uint64_t bits = random_bits();
    std::memcpy(id.bytes.data() + 8 * half, &bits, sizeof bits);
  }
  return id;
}

std::string Id::to_string() const {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (const std::uint8_t byte : bytes) {
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

std::optional<Id> Id::parse(std::string_view hex) {
  Id id;
  if (hex.size() != 2 * id.bytes.size()) {
    return std::nullopt;
  }
  for (std::size_t i = 0; i < hex.size(); ++i) {
    const std::size_t digit = std::string_view("0123456789abcdef").find(hex[i]);
    if (digit == std::string_view::npos) {
      return std::nullopt;
    }
    id.bytes[i / 2] = static_cast<std::uint8_t>(id.bytes[i / 2] << 4 | digit);
  }
  return id;
}

std::uint64_t random_generation() {
  std::uint64_t generation = 0;
  while (generation == 0) {
    generation = random_bits();
  }
  return generation;
}

std::uint32_t headers_crc(std::string_view block) {
  return crc32c(block, kEventSeed);
}

std::uint32_t event_crc(std::uint32_t headers_crc, std::string_view body) {
  return crc32c(body, headers_crc);
}

std::string encode_segment_header(SegmentHeader header) {
  header.crc = 0;
  header.crc = crc32c(bytes_of(header));
  std::string block(bytes_of(header));
  block.resize(kBlock);
  return block;
}

Result<std::optional<SegmentHeader>> decode_segment_header(std::string_view block) {
  SegmentHeader header;
  if (block.size() < sizeof header) {
    return std::optional<SegmentHeader>();
  }
  std::memcpy(&header, block.data(), sizeof header);
  SegmentHeader without_crc = header;
  without_crc.crc = 0;
  if (header.magic != SegmentHeader().magic || header.crc != crc32c(bytes_of(without_crc))) {
    return std::optional<SegmentHeader>();
  }
  if (header.version != kFormatVersion && header.version != kSealedVersion) {
    return bad_config("written in format version " + std::to_string(header.version) +
                      ", this program reads versions " + std::to_string(kFormatVersion) + " and " +
                      std::to_string(kSealedVersion));
  }
  return std::optional<SegmentHeader>(header);
}

void seal_record_header(char* record, std::uint64_t generation) {
  RecordHeader header;
  std::memcpy(&header, record, sizeof header);
  header.generation = generation;
  header.crc = record_header_crc(header);
  std::memcpy(record, &header, sizeof header);
}

std::optional<RecordHeader> decode_record_header(std::string_view bytes, Generation generation) {
  RecordHeader header;
  if (bytes.size() < sizeof header) {
    return std::nullopt;
  }
  std::memcpy(&header, bytes.data(), sizeof header);
  if ((header.magic != kPutMagic && header.magic != kAckMagic) ||
      header.generation != generation.number || header.crc != record_header_crc(header) ||
      !lengths_agree(header, generation.key != nullptr)) {
    return std::nullopt;
  }
  return header;
}

}  // namespace millrace::file_channel
