#include "channel/file/channel_view.h"

#include <algorithm>
#include <thread>

namespace millrace::file_channel {
namespace {

using Path = std::filesystem::path;

constexpr int kTries = 50;
constexpr std::chrono::milliseconds kPause{5};  // Longer than most groups take to be written.

using KeyringPtr = std::shared_ptr<const Keyring>;

Result<KeyringPtr> keys_of(FileSystem& files, const ChannelFolders& folders) {
  return std::make_shared<const Keyring>(TRY(read_keys(files, "channel", folders.encryption)));
}

// Reads the log as a start does. The checkpoint that it was read by comes first; those older than
// it are not looked at.
Result<> read_by_checkpoints(FileSystem& files, ChannelView& view) {
  std::vector<FoundCheckpoint>& all = view.checkpoints;
  for (FoundCheckpoint& each : all) {
    if (each.checkpoint && each.checkpoint->channel != view.identity.channel) {
      each.trouble = "it is of another channel";
      each.checkpoint.reset();
    }
  }
  std::stable_partition(all.begin(), all.end(),
                        [](const FoundCheckpoint& each) { return each.checkpoint.has_value(); });
  std::vector<Checkpoint> usable;
  for (const FoundCheckpoint& each : all) {
    if (each.checkpoint) {
      usable.push_back(*each.checkpoint);
    }
  }
  FittedLog fitted = TRY(read_log(files, view.found, view.identity, usable));
  view.log = std::move(fitted.log);
  for (std::size_t i = 0; i < fitted.misfits.size(); ++i) {
    all[i].trouble = "it " + fitted.misfits[i];
  }
  if (fitted.misfits.size() < usable.size()) {
    const auto fitting = all.begin() + static_cast<std::ptrdiff_t>(fitted.misfits.size());
    std::rotate(all.begin(), fitting, fitting + 1);
  }
  if (all.empty()) {
    all.push_back({.trouble = "its folder was not named"});
  }
  return {};
}

Result<ChannelView> view_once(FileSystem& files, const ChannelFolders& folders,
                              const KeyringPtr& keys) {
  ChannelView view;
  view.keys = keys;
  view.identity = TRY(read_identity(files, folders.data_dirs, folders.given_up));
  view.checkpoints = TRY(find_checkpoints(files, folders.checkpoint_dirs));
  view.found = TRY(survey_dirs(files, folders.data_dirs, view.identity, *keys));
  TRY(read_by_checkpoints(files, view));
  return view;
}

// A segment that counted is another by now: it was written over while we read.
bool has_moved(FileSystem& files, const ChannelView& view) {
  return std::any_of(view.log.dirs.begin(), view.log.dirs.end(), [&](const DirContents& dir) {
    return std::any_of(dir.segments.begin(), dir.segments.end(), [&](const SegmentContents& each) {
      return each.is_needed &&
             generation_now(files, each.found.path) != each.found.header.generation;
    });
  });
}

// What a writer at work makes one see for a moment, and damage makes one see every time.
bool looks_odd(const ChannelView& view) {
  const bool is_torn =
      std::any_of(view.log.dirs.begin(), view.log.dirs.end(), [](const DirContents& dir) {
        return !dir.segments.empty() && (!dir.segments.back().damaged.empty() ||
                                         !dir.segments.back().damaged_acknowledgements.empty());
      });
  const bool is_headless = std::any_of(view.found.begin(), view.found.end(),
                                       [](const FoundDir& dir) { return !dir.headless.empty(); });
  const bool is_unfit = std::any_of(view.checkpoints.begin(), view.checkpoints.end(),
                                    [](const auto& each) { return each.is_unfit(); });
  return is_torn || is_headless || is_unfit;
}

}  // namespace

bool ChannelView::has_damaged_checkpoint() const {
  return std::any_of(checkpoints.begin(), checkpoints.end(), [](const FoundCheckpoint& each) {
    return each.is_damaged || each.is_unfit();
  });
}

std::optional<std::uint64_t> generation_now(FileSystem& files, const Path& path) {
  const Result<std::unique_ptr<File>> file = files.open(path, OpenMode::kRead);
  std::string block(kBlock, '\0');
  if (!file.ok() || !(*file)->read_at(block, 0).ok()) {
    return std::nullopt;
  }
  const Result<std::optional<SegmentHeader>> header = decode_segment_header(block);
  return header.ok() && *header ? std::optional((*header)->generation) : std::nullopt;
}

Result<ChannelView> view_locked_channel(FileSystem& files, const ChannelFolders& folders) {
  return view_once(files, folders, TRY(keys_of(files, folders)));
}

Result<ChannelView> view_channel(FileSystem& files, const ChannelFolders& folders) {
  const KeyringPtr keys = TRY(keys_of(files, folders));
  bool has_ever_moved = false;
  for (int tries = 1;; ++tries) {
    const std::optional<int> holder = folders.data_dirs.empty()
                                          ? std::nullopt
                                          : files.lock_holder(lock_path(folders.data_dirs.front()));
    Result<ChannelView> view = view_once(files, folders, keys);
    const bool moved = view.ok() && has_moved(files, *view);
    has_ever_moved = has_ever_moved || moved;
    const bool is_live = holder.has_value() || has_ever_moved;
    // A file may be removed between its listing and its opening.
    const bool again = moved || (is_live && (!view.ok() || looks_odd(*view)));
    if (!again || tries == kTries) {
      if (view.ok()) {
        view->is_live = is_live;
        view->holder = holder;
        view->is_blurred = moved;
      }
      return view;
    }
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace millrace::file_channel
