// What a sink that writes files exactly once commits with its events (docs/formats/intents.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace millrace {

// A file that is not published yet.
struct IntendedFile {
  std::string temporary;     // Its path while it is written; no other file ever had it.
  std::string published;     // Its path afterwards.
  std::uint64_t length = 0;  // Bytes that are committed: what comes behind them is not.
  std::uint32_t crc = 0;     // CRC-32C of these.
  bool is_ended = false;     // To be published now; else it is still written.

  friend bool operator==(const IntendedFile&, const IntendedFile&) = default;
};

using FileIntent = std::vector<IntendedFile>;

// Nothing for no files: then there is nothing to finish.
std::string encode_file_intent(const FileIntent& files);
// kCorrupt for anything but a whole intent; kConfig for one of a later version.
Result<FileIntent> decode_file_intent(std::string_view bytes);

}  // namespace millrace
