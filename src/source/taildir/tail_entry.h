// What is kept of a tailed file from one run of the agent to the next.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/checksum.h"

namespace millrace {

// The first bytes of a file, to know it again: its inode's number is given to another file once it
// is gone, and a file may be emptied and written anew.
struct FileHead {
  static constexpr std::size_t kMost = 1024;  // Bytes.

  std::uint32_t size = 0;  // Bytes that the sum is over; 0: nothing is known.
  std::uint32_t crc = 0;   // CRC-32C.

  static FileHead of(std::string_view bytes) {
    const std::string_view first = bytes.substr(0, kMost);
    return {static_cast<std::uint32_t>(first.size()), crc32c(first)};
  }
  bool begins(std::string_view bytes) const {
    return bytes.size() >= size && crc32c(bytes.substr(0, size)) == crc;
  }
  friend bool operator==(const FileHead&, const FileHead&) = default;
};

struct TailEntry {
  std::uint64_t inode = 0;
  std::uint64_t position = 0;  // Bytes before it are with the channels.
  std::string path;            // By which it was tailed.
  FileHead head;
  friend bool operator==(const TailEntry&, const TailEntry&) = default;
};

}  // namespace millrace
