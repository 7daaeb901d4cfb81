// Checks a whole channel: every checksum of its log, and the log against the checkpoint.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include "channel/file/channel_view.h"
#include "channel/file/log_findings.h"
#include "io/file_system.h"

namespace millrace::file_channel {

struct ChannelCheck {
  LogTally tally;
  EventRanges damaged;        // In the channel, and they do not fit their checksum.
  EventRanges missing;        // In the channel, and in no record.
  bool knows_missing = true;  // False when the log moved too fast to tell.
  std::uint64_t lost = 0;     // The checkpoint knew of them, the log does not hold them.
  std::vector<std::filesystem::path> headless;    // Segments whose header is destroyed.
  std::vector<std::filesystem::path> duplicates;  // Copies of other segments.
  bool has_damaged_checkpoint = false;            // Or one that does not fit.

  // Nothing is damaged, missing or doubtful but what the channel has set aside before.
  bool is_clean() const;
};

// Called with bytes gone through, and bytes in all.
using CheckProgress = std::function<void(std::uint64_t done, std::uint64_t whole)>;

// `view` was just made of these folders. kTransient when the disk fails.
Result<ChannelCheck> check_channel(FileSystem& files, const ChannelFolders& folders,
                                   const ChannelView& view, const CheckProgress& progress);

}  // namespace millrace::file_channel
