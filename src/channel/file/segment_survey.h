// Finds the segments of a data dir by their headers. Changes nothing.
#pragma once

#include <filesystem>
#include <vector>

#include "channel/file/format.h"
#include "channel/file/keyring.h"
#include "channel/file/segment.h"
#include "io/file_system.h"

namespace millrace::file_channel {

// A segment file with a whole header.
struct FoundSegment {
  SegmentHeader header;
  std::uint64_t slot = 0;
  std::filesystem::path path;
  std::uint64_t bytes = 0;  // Of the file.
  SegmentKeyPtr key{};      // Of an encrypted one; it may say that it is not there.

  Generation records() const { return {header.generation, key.get()}; }
  bool is_locked() const { return key != nullptr && !key->is_there(); }
};

struct FoundDir {
  std::filesystem::path path;
  std::vector<FoundSegment> segments;           // In their order.
  std::vector<Spare> spares;                    // Never written to.
  std::vector<std::filesystem::path> headless;  // Their header is damaged.
  std::vector<std::filesystem::path> copies;    // Of one of the segments, under another name.
  std::uint64_t last_slot = 0;
};

// kConfig for a segment of another channel or data dir, or of a later version.
Result<FoundDir> survey(FileSystem& files, const std::filesystem::path& dir, const Id& channel,
                        const Id& directory, const Keyring& keys);

}  // namespace millrace::file_channel
