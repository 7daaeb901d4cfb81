// A file channel as its files show it, whether it is stopped or in use: the tools' way in. Nothing
// is locked, written, renamed or cut.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "channel/file/checkpoint_file.h"
#include "channel/file/log_contents.h"
#include "io/file_system.h"

namespace millrace::file_channel {

struct ChannelFolders {
  std::vector<std::filesystem::path> checkpoint_dirs;  // The first and the backup; or none.
  std::vector<std::filesystem::path> data_dirs;
  EncryptionConfig encryption{};                  // Where its keys come from.
  std::vector<std::filesystem::path> given_up{};  // Lost data dirs: the view is of what is left.
};

// Of a channel in use it is an instant shortly before it was made: what was being written then may
// show as not there yet.
struct ChannelView {
  Identity identity;
  std::shared_ptr<const Keyring> keys;  // All that the folders' configuration names.
  bool is_live = false;
  std::optional<int> holder;  // The process that has it open, when it is live and can be seen.
  // The log went on while it was read, each time it was tried: figures may not fit one another.
  bool is_blurred = false;

  // Of each checkpoint dir, at least one. The first is the one that a start would use, and the log
  // was read by; where it has a trouble none can be used, and the log alone was read.
  std::vector<FoundCheckpoint> checkpoints;
  const FoundCheckpoint& checkpoint() const { return checkpoints.front(); }
  bool has_damaged_checkpoint() const;  // Or one that does not fit the log.

  std::vector<FoundDir> found;
  LogContents log;

  // It may hold events that are in the channel.
  bool holds_events(const SegmentContents& segment) const {
    return segment.is_needed && log.events.live.intersects(segment.numbers);
  }
};

// kConfig when there is no channel, a part or a key of it is missing, or a later version wrote it.
// kTransient when a folder or file cannot be read.
Result<ChannelView> view_channel(FileSystem& files, const ChannelFolders& folders);
// The same for whoever holds the locks of the data dirs: nobody writes meanwhile.
Result<ChannelView> view_locked_channel(FileSystem& files, const ChannelFolders& folders);

// The generation that the segment's header gives now; nothing when it has none, or is gone.
std::optional<std::uint64_t> generation_now(FileSystem& files, const std::filesystem::path& path);

}  // namespace millrace::file_channel
