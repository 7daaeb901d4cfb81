#include "channel/file/damage_removal.h"

#include <algorithm>

#include "channel/file/group_writer.h"
#include "channel/file/log_writer.h"
#include "channel/file/quarantine.h"
#include "channel/file/recovery.h"

namespace millrace::file_channel {
namespace {

constexpr std::uint64_t kSegmentBytes = 64 * 1024;  // Of the one that holds the acknowledgement.
constexpr std::uint64_t kMinimumFree = std::uint64_t{1} << 20;

Options options_of(const ChannelFolders& folders) {
  Options options;
  options.name = "channel " + folders.data_dirs.front().string();
  options.data_dirs = folders.data_dirs;
  options.encryption = folders.encryption;
  options.segment_bytes = kSegmentBytes;
  options.minimum_free = kMinimumFree;
  return options;
}

Result<> keep_copies(FileSystem& files, const Options& options, const DamageRemoval& removal) {
  for (const DirContents& dir : removal.view.log.dirs) {
    for (const SegmentContents& contents : dir.segments) {
      Segment segment;
      segment.path = contents.found.path;
      segment.order = contents.found.header.order;
      std::vector<ByteRange> damaged;
      for (const Finding& finding : removal.check.tally.findings) {
        if (finding.path == segment.path && finding.kind != Finding::Kind::kMissing) {
          damaged.push_back(finding.bytes);
        }
      }
      if (!damaged.empty()) {
        const std::unique_ptr<File> file = TRY(files.open(segment.path, OpenMode::kRead));
        set_aside(files, options, segment, *file, damaged);
      }
    }
  }
  return {};
}

// In a new segment of the first data dir: none is written on after a start.
Result<> acknowledge(FileSystem& files, const Options& options, const ChannelView& view,
                     const Recovered& recovered, const EventRanges& events) {
  LogOptions of_log = log_options(options, view.identity, 0, recovered.dirs[0]);
  of_log.keys = view.keys;
  LogWriter log(files, std::move(of_log));
  GroupWriter group;
  group.clear(options.encryption.encrypts());
  group.add_acknowledgement(events.all(), recovered.events.dropped + events.count(),
                            {recovered.events.next, recovered.events.void_numbers});
  TRY(log.append(group));
  return log.sync();
}

}  // namespace

Result<DamageRemoval> remove_damage(FileSystem& files, const ChannelFolders& channel,
                                    const CheckProgress& progress) {
  // A folder without a channel is told so, and gets no lock file.
  static_cast<void>(TRY(read_identity(files, channel.data_dirs)));
  std::vector<std::unique_ptr<FileLock>> locks;
  for (const std::filesystem::path& dir : channel.data_dirs) {
    locks.push_back(TRY(files.lock(lock_path(dir))));
  }
  const ChannelFolders folders{{}, channel.data_dirs, channel.encryption};
  DamageRemoval removal;
  removal.view = TRY(view_locked_channel(files, folders));
  removal.check = TRY(check_channel(files, folders, removal.view, progress));
  for (const Finding& finding : removal.check.tally.findings) {
    removal.given_up.add(finding.events.common(removal.view.log.events.live));
  }
  removal.given_up.remove(removal.check.tally.whole);
  removal.given_up.add(removal.check.missing);
  if (removal.check.is_clean() && removal.given_up.empty()) {
    return removal;
  }
  const Options options = options_of(folders);
  TRY(keep_copies(files, options, removal));
  const ChannelView& view = removal.view;
  const Recovered recovered = TRY(recover(files, options, view.identity, *view.keys, {}));
  if (!removal.given_up.empty()) {
    TRY(acknowledge(files, options, view, recovered, removal.given_up));
  }
  return removal;
}

}  // namespace millrace::file_channel
