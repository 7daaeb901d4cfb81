// Encrypted segments, version 2 of docs/formats/file-channel.md: how they say which key they have,
// and how their records are opened. sealer.h writes them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/aead.h"
#include "base/result.h"
#include "channel/file/format.h"

namespace millrace::file_channel {

inline constexpr std::uint32_t kSealedVersion = 2;
// Bytes of payload that have a tag of their own: damage costs no more than that.
inline constexpr std::uint64_t kSealedChunk = 64 * 1024;
static_assert(sizeof(SegmentHeader) % 8 == 0);

// Behind the SegmentHeader of an encrypted segment, in the same sector.
struct SealHeader {
  std::uint32_t crc = 0;             // CRC-32C of the bytes behind it, up to the end of the struct.
  std::uint32_t cipher = 0;          // 1: AES-128-GCM, 2: AES-256-GCM.
  std::array<char, 256> key_name{};  // Padded with zeros, at least one.
  std::array<std::uint8_t, 32> salt{};
  std::array<char, AesGcm::kTagBytes> check{};  // Tag of all before, for the segment's own key.

  std::string name() const { return key_name.data(); }
};
static_assert(sizeof(SealHeader) == 312);

// Nothing when these bytes of the first block are damaged.
std::optional<SealHeader> decode_seal_header(std::string_view block);

// The key of one generation of one segment, made from a named key and the segment's salt; or the
// reason why it is not there. Threads: any.
class SegmentKey {
 public:
  SegmentKey(const SecretBytes& named_key, SealHeader header);
  SegmentKey(SealHeader header, Error missing);

  // For a segment that is written anew.
  static std::shared_ptr<const SegmentKey> make(const SecretBytes& named_key,
                                                const std::string& name);

  const SealHeader& header() const { return header_; }
  const SecretBytes& bytes() const { return bytes_; }
  bool is_there() const { return !missing_.has_value(); }
  const std::optional<Error>& missing() const { return missing_; }
  // The tag that a header with this SegmentHeader has: another one tells of another key.
  std::array<char, AesGcm::kTagBytes> check_of(const SegmentHeader& segment) const;

 private:
  SealHeader header_;
  SecretBytes bytes_;
  std::optional<Error> missing_;
};
using SegmentKeyPtr = std::shared_ptr<const SegmentKey>;

// Makes the first block of a segment, version 1, one of an encrypted segment.
void seal_segment_header(std::string& block, const SegmentKey& key);

// Bytes of the tags between a record's header and a payload of so many bytes.
constexpr std::uint64_t tag_bytes(std::uint64_t payload) {
  const std::uint64_t chunks = (payload + kSealedChunk - 1) / kSealedChunk;
  return (chunks == 0 ? 1 : chunks) * AesGcm::kTagBytes;
}
// The payload of a record that has `rest` bytes behind its header; nothing when none is so long.
std::optional<std::uint64_t> sealed_payload(std::uint64_t rest);

// Of chunk `chunk` of the record that lies at `offset` of its segment.
AesGcm::Nonce nonce_of(std::uint64_t offset, std::uint64_t chunk);

// A record in clear text, as version 1 has it but for its header, which still tells of the tags.
// Chunks that did not fit their tag are zeros, and so are the index entries of events that have a
// part there; what was cut off is missing.
struct OpenedRecord {
  std::span<char> bytes;
  bool is_whole = true;
};

// Decrypts records in place. Threads: one. `key` has to be there, and outlives it.
class RecordOpener {
 public:
  explicit RecordOpener(const SegmentKey& key) : cipher_(key.bytes()) {}

  // `record` lies at `offset` of its segment and begins with `header`; its end may be cut off. What
  // is given back lies in it.
  OpenedRecord open(std::span<char> record, const RecordHeader& header, std::uint64_t offset);

 private:
  AesGcm cipher_;
};

}  // namespace millrace::file_channel
