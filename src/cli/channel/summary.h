// What `ls` and `show` tell of a channel.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "channel/file/channel_view.h"
#include "channel/file/put_times.h"
#include "cli/channel/chosen.h"
#include "core/channel.h"

namespace millrace {

struct SegmentLine {
  std::string file;
  std::uint64_t order = 0;
  file_channel::EventRange numbers;  // Of its puts; empty where nobody looked.
  std::uint64_t bytes = 0;           // Up to the end of its records.
  std::string_view state;            // "written to", "needed" or "recyclable".
};

// Files in a folder, with the bytes of all of them.
struct FileTotal {
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
};

struct DirSummary {
  std::filesystem::path path;
  std::vector<SegmentLine> segments;  // In their order.
  std::uint64_t spares = 0;           // Never written to.
  std::vector<std::string> headless;  // Files whose header is damaged.
  FileTotal quarantine;               // Damage that starts and takes have set aside.
};

struct ChannelSummary {
  std::string name;
  file_channel::ChannelView view;
  file_channel::PutTimes times;
  ChannelCounts counts;
  std::uint64_t segments = 0;
  std::uint64_t bytes = 0;  // Of the segments that are needed.
  std::vector<DirSummary> dirs;
};

Result<ChannelSummary> summarize(FileSystem& files, const ChosenChannel& channel);

// "live: held by pid 4711", "stopped", "live: the log moves".
std::string state_text(const file_channel::ChannelView& view);

}  // namespace millrace
