// Finds the segments of a data dir by their headers. Changes nothing.
#pragma once

#include <filesystem>
#include <vector>

#include "channel/file/format.h"
#include "channel/file/segment.h"
#include "io/file_system.h"

namespace millrace::file_channel {

// A segment file with a whole header.
struct FoundSegment {
  SegmentHeader header;
  std::uint64_t slot = 0;
  std::filesystem::path path;
};

struct FoundDir {
  std::filesystem::path path;
  std::vector<FoundSegment> segments;           // In their order.
  std::vector<Spare> spares;                    // Never written to.
  std::vector<std::filesystem::path> headless;  // Their header is damaged.
  std::uint64_t last_slot = 0;
};

// kConfig for a segment of another channel or data dir, or of a later version.
Result<FoundDir> survey(FileSystem& files, const std::filesystem::path& dir, const Id& channel,
                        const Id& directory);

}  // namespace millrace::file_channel
