// Copies of damaged bytes, kept for people to look at: the segment itself is written over later.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

#include "channel/file/options.h"
#include "channel/file/segment.h"
#include "channel/file/segment_reader.h"
#include "io/file_system.h"

namespace millrace::file_channel {

inline constexpr std::uint64_t kQuarantineBytes = std::uint64_t{64} << 20;  // Of one data dir.

// Where the copy of these bytes is kept: quarantine/<segment>-<order>-<from>-<to> beside it.
std::filesystem::path quarantine_path(const std::filesystem::path& segment, std::uint64_t order,
                                      ByteRange bytes);

// Reports bytes of the segment, open as `file`, that are no whole record, and copies them to their
// quarantine_path(), both once. What does not fit into the folder's bound, or under
// minimumRequiredSpace, is reported alone. Without the channel's lock, and while nobody may recycle
// the segment.
void set_aside(FileSystem& files, const Options& options, const Segment& segment, const File& file,
               std::span<const ByteRange> damaged);

}  // namespace millrace::file_channel
