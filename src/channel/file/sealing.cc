#include "channel/file/sealing.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "base/checksum.h"

namespace millrace::file_channel {
namespace {

constexpr std::uint32_t kAes128 = 1;
constexpr std::uint32_t kAes256 = 2;
constexpr std::string_view kInfo = "millrace file channel segment, version 2";

std::string_view bytes_of(const SealHeader& header) {
  return {reinterpret_cast<const char*>(&header), sizeof header};
}

std::uint32_t crc_of(const SealHeader& header) {
  return crc32c(bytes_of(header).substr(offsetof(SealHeader, cipher)));
}

std::size_t key_bytes(const SealHeader& header) {
  return header.cipher == kAes128 ? 16 : 32;
}

std::string_view salt_of(const SealHeader& header) {
  return {reinterpret_cast<const char*>(header.salt.data()), header.salt.size()};
}

struct Part {
  std::uint64_t from;
  std::uint64_t to;
};

bool touches(const std::vector<Part>& damaged, std::uint64_t from, std::uint64_t bytes) {
  return std::any_of(damaged.begin(), damaged.end(),
                     [&](const Part& part) { return from < part.to && part.from < from + bytes; });
}

// An event of which a part is zeros now might fit its checksum by chance: its index entry becomes
// zeros as well, which fit none.
void strike_out(std::span<char> payload, const RecordHeader& header,
                const std::vector<Part>& damaged) {
  const std::uint64_t headers_at = std::uint64_t{header.entries} * sizeof(IndexEntry);
  const std::uint64_t bodies_at = headers_at + header.headers_bytes;
  const std::uint64_t there =
      std::min(headers_at, payload.size() / sizeof(IndexEntry) * sizeof(IndexEntry));
  for (std::uint64_t at = 0; at < there; at += sizeof(IndexEntry)) {
    IndexEntry entry;
    std::memcpy(&entry, payload.data() + at, sizeof entry);
    if (touches(damaged, at, sizeof entry) ||
        touches(damaged, headers_at + entry.headers_offset, entry.headers_bytes) ||
        touches(damaged, bodies_at + entry.body_offset, entry.body_bytes)) {
      std::memset(payload.data() + at, 0, sizeof entry);
    }
  }
}

}  // namespace

std::optional<SealHeader> decode_seal_header(std::string_view block) {
  SealHeader header;
  if (block.size() < sizeof(SegmentHeader) + sizeof header) {
    return std::nullopt;
  }
  std::memcpy(&header, block.data() + sizeof(SegmentHeader), sizeof header);
  const bool is_known = header.cipher == kAes128 || header.cipher == kAes256;
  if (header.crc != crc_of(header) || !is_known || header.key_name.back() != '\0') {
    return std::nullopt;
  }
  return header;
}

SegmentKey::SegmentKey(const SecretBytes& named_key, SealHeader header)
    : header_(header),
      bytes_(hkdf_sha256(named_key, salt_of(header_), kInfo, key_bytes(header_))) {}

SegmentKey::SegmentKey(SealHeader header, Error missing)
    : header_(header), missing_(std::move(missing)) {}

SegmentKeyPtr SegmentKey::make(const SecretBytes& named_key, const std::string& name) {
  SealHeader header;
  CHECK(name.size() < header.key_name.size());
  header.cipher = named_key.size() == 16 ? kAes128 : kAes256;
  std::copy(name.begin(), name.end(), header.key_name.begin());
  fill_random(header.salt);
  return std::make_shared<const SegmentKey>(named_key, header);
}

std::array<char, AesGcm::kTagBytes> SegmentKey::check_of(const SegmentHeader& segment) const {
  std::string known(reinterpret_cast<const char*>(&segment), sizeof segment);
  known += bytes_of(header_).substr(offsetof(SealHeader, cipher),
                                    offsetof(SealHeader, check) - offsetof(SealHeader, cipher));
  std::array<char, AesGcm::kTagBytes> tag;
  AesGcm cipher(bytes_);
  AesGcm::Nonce nonce;
  nonce.fill(0xFF);  // No record lies there.
  cipher.begin(nonce, known);
  cipher.finish(tag.data());
  return tag;
}

void seal_segment_header(std::string& block, const SegmentKey& key) {
  SegmentHeader segment;
  std::memcpy(&segment, block.data(), sizeof segment);
  segment.version = kSealedVersion;
  const std::string sealed = encode_segment_header(segment);
  std::memcpy(&segment, sealed.data(), sizeof segment);  // With its CRC.
  SealHeader header = key.header();
  header.check = key.check_of(segment);
  header.crc = crc_of(header);
  block = sealed;
  block.replace(sizeof segment, sizeof header, bytes_of(header));
}

std::optional<std::uint64_t> sealed_payload(std::uint64_t rest) {
  constexpr std::uint64_t kWithTag = kSealedChunk + AesGcm::kTagBytes;
  const std::uint64_t tags =
      std::max<std::uint64_t>((rest + kWithTag - 1) / kWithTag, 1) * AesGcm::kTagBytes;
  if (rest < tags || tag_bytes(rest - tags) != tags) {
    return std::nullopt;
  }
  return rest - tags;
}

AesGcm::Nonce nonce_of(std::uint64_t offset, std::uint64_t chunk) {
  AesGcm::Nonce nonce;
  CHECK(chunk < UINT32_MAX);
  std::memcpy(nonce.data(), &offset, sizeof offset);
  std::memcpy(nonce.data() + sizeof offset, &chunk, nonce.size() - sizeof offset);
  return nonce;
}

OpenedRecord RecordOpener::open(std::span<char> record, const RecordHeader& header,
                                std::uint64_t offset) {
  const std::uint64_t payload_bytes = sealed_payload(header.length - sizeof header).value_or(0);
  const std::uint64_t tags = tag_bytes(payload_bytes);
  if (record.size() < sizeof header + tags) {
    return {record.first(sizeof header), false};
  }
  const std::string_view known(record.data(), sizeof header);
  const std::string_view tag(record.data() + sizeof header, tags);
  std::span<char> payload = record.subspan(sizeof header + tags);
  payload = payload.first(std::min<std::uint64_t>(payload.size(), payload_bytes));
  std::vector<Part> damaged;
  for (std::uint64_t chunk = 0; chunk * AesGcm::kTagBytes < tags; ++chunk) {
    const std::uint64_t from = std::min<std::uint64_t>(chunk * kSealedChunk, payload.size());
    const std::uint64_t to = std::min<std::uint64_t>(from + kSealedChunk, payload.size());
    if (!cipher_.open(nonce_of(offset, chunk), known, payload.subspan(from, to - from),
                      tag.substr(chunk * AesGcm::kTagBytes, AesGcm::kTagBytes))) {
      damaged.push_back({from, to});
    }
  }
  if (!damaged.empty() && header.magic == kPutMagic) {
    strike_out(payload, header, damaged);
  }
  std::memmove(record.data() + tags, record.data(), sizeof header);
  return {record.subspan(tags, sizeof header + payload.size()),
          damaged.empty() && payload.size() == payload_bytes};
}

}  // namespace millrace::file_channel
