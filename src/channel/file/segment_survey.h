// Finds the segments of a data dir by their headers.
#pragma once

#include <filesystem>
#include <string>
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
  std::vector<FoundSegment> segments;  // In their order.
  std::vector<Spare> spares;           // Never written to.
  std::uint64_t last_slot = 0;
};

// A segment whose header is damaged is renamed, so that nothing writes over it, and reported under
// `name`. kConfig for a segment of another channel or data dir, or of a later version.
Result<FoundDir> survey(FileSystem& files, const std::string& name,
                        const std::filesystem::path& dir, const Id& channel, const Id& directory);

}  // namespace millrace::file_channel
