#include "channel/file/channel_view.h"

#include <algorithm>
#include <thread>

#include "channel/file/checkpoint_file.h"

namespace millrace::file_channel {
namespace {

using Path = std::filesystem::path;

constexpr int kTries = 50;
constexpr std::chrono::milliseconds kPause{5};  // Longer than most groups take to be written.

using KeyringPtr = std::shared_ptr<const Keyring>;

Result<KeyringPtr> keys_of(FileSystem& files, const ChannelFolders& folders) {
  return std::make_shared<const Keyring>(TRY(read_keys(files, "channel", folders.encryption)));
}

Result<> read_checkpoint_of(FileSystem& files, const ChannelFolders& folders, ChannelView& view) {
  const Path path = checkpoint_path(folders.checkpoint_dir);
  if (folders.checkpoint_dir.empty() || !files.exists(path)) {
    view.checkpoint_trouble =
        folders.checkpoint_dir.empty() ? "its folder was not named" : "there is none";
    return {};
  }
  view.checkpoint_time = TRY(files.status(path)).modified;
  Result<Checkpoint> checkpoint = decode_checkpoint(TRY(read_file(files, path)));
  if (!checkpoint.ok() && checkpoint.error().fault() == Fault::kConfig) {
    return std::move(checkpoint).error().with(path.string());
  }
  if (!checkpoint.ok()) {
    view.checkpoint_is_damaged = true;
    view.checkpoint_trouble = "it is damaged: " + checkpoint.error().message();
  } else if (checkpoint->channel != view.identity.channel) {
    view.checkpoint_trouble = "it is of another channel";
  } else {
    view.checkpoint = std::move(checkpoint).value();
  }
  return {};
}

Result<ChannelView> view_once(FileSystem& files, const ChannelFolders& folders,
                              const KeyringPtr& keys) {
  ChannelView view;
  view.keys = keys;
  view.identity = TRY(read_identity(files, folders.data_dirs));
  TRY(read_checkpoint_of(files, folders, view));
  view.found = TRY(survey_dirs(files, folders.data_dirs, view.identity, *keys));
  if (view.checkpoint) {
    if (const auto absent = absent_segment(view.found, view.identity, *view.checkpoint)) {
      view.checkpoint_trouble =
          "it speaks of " + absent->string() + ", which is not there, or is another by now";
    }
  }
  view.log = TRY(
      read_log(files, view.found, view.identity, view.checkpoint, view.checkpoint_trouble.empty()));
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
  return is_torn || is_headless || !view.checkpoint_trouble.empty();
}

}  // namespace

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
