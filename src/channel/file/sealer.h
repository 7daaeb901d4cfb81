// Encrypts groups on their way into a segment.
#pragma once

#include <sys/uio.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "base/aead.h"
#include "channel/file/sealing.h"

namespace millrace::file_channel {

// The bytes of a group as they go into an encrypted segment. Records have to leave room for their
// tags (GroupWriter does, when told so): sealing moves nothing. A record's nonces are its place in
// the segment, and no place is sealed twice. Threads: one.
class Sealer {
 public:
  // What follows goes into a segment with this key.
  void enter(const SegmentKey& key);

  // `pieces` are to be written at `position`; their first `plain` bytes stay as they are. What is
  // given back is valid until the next call.
  iovec seal(std::span<const iovec> pieces, std::uint64_t plain, std::uint64_t position);

 private:
  class Input;

  void make_room(std::uint64_t bytes);
  // The record that `input` stands at, into `out`, where it lies at `offset` of the segment.
  // Returns its end; null when there is no more.
  char* seal_record(Input& input, char* out, std::uint64_t offset);

  std::optional<AesGcm> cipher_;
  std::uint64_t sealed_to_ = 0;  // In the segment.
  std::unique_ptr<char[]> buffer_;
  std::uint64_t capacity_ = 0;
};

}  // namespace millrace::file_channel
