#include "channel/file/forgetting.h"

#include <algorithm>
#include <cerrno>

#include "channel/file/data_dirs.h"
#include "channel/file/folders.h"

namespace millrace::file_channel {
namespace {

using Path = std::filesystem::path;

bool is_given_up(const ChannelFolders& channel, const Path& dir) {
  return std::any_of(channel.given_up.begin(), channel.given_up.end(),
                     [&](const Path& lost) { return names_same_folder(lost, dir); });
}

// With those data dirs alone that hold a part of the channel: no new one, and none that is missing.
Result<ChannelFolders> what_is_left(FileSystem& files, ChannelFolders channel) {
  std::erase_if(channel.data_dirs, [&](const Path& dir) {
    return is_given_up(channel, dir) || !files.exists(meta_path(dir));
  });
  if (channel.data_dirs.empty()) {
    return bad_config(
        "no other data dir of the channel is left: none that is named has a channel.meta");
  }
  return channel;
}

Options options_of(const ChannelFolders& folders) {
  Options options;
  options.name = "channel " + folders.data_dirs.front().string();
  options.checkpoint_dir = folders.checkpoint_dirs.front();
  if (folders.checkpoint_dirs.size() > 1) {
    options.backup_checkpoint_dir = folders.checkpoint_dirs.back();
  }
  options.data_dirs = folders.data_dirs;
  return options;
}

void tell_named(FileSystem& files, const ChannelFolders& channel, Loss& loss) {
  for (const Path& dir : channel.data_dirs) {
    if (is_given_up(channel, dir)) {
      Result<DataDir> found = look(files, dir);
      const bool is_new = found.ok() ? found->is_empty() : found.error().error_number() == ENOENT;
      (is_new ? loss.taken_as_new : loss.in_the_way).push_back(dir);
    }
  }
}

Result<Loss> loss_of(FileSystem& files, const ChannelFolders& left) {
  Loss loss;
  loss.view = TRY(view_locked_channel(files, left));
  const FoundCheckpoint& checkpoint = loss.view.checkpoint();
  // Reckoned as by a start that goes through all records, which tells what none of them has.
  const LogContents whole =
      TRY(read_whole_log(files, loss.view.found, loss.view.identity, checkpoint.checkpoint));
  loss.events = whole.events.lost;
  const bool fits = checkpoint.trouble.empty();
  loss.events_left = loss.view.log.events.live.count() - (fits ? loss.events : 0);
  return loss;
}

}  // namespace

Result<Loss> forget_dirs(FileSystem& files, const ChannelFolders& channel, bool for_good) {
  const ChannelFolders left = TRY(what_is_left(files, channel));
  // What is refused is so before a lock file is made.
  static_cast<void>(TRY(read_identity(files, left.data_dirs, left.given_up)));
  const Options options = options_of(left);
  const DirLocks locks = TRY(open_folders(files, options));
  Loss loss = TRY(loss_of(files, left));
  tell_named(files, channel, loss);
  if (for_good) {
    const Identity identity = TRY(identify(files, left.data_dirs, {}, left.given_up));
    remember(files, options, identity);
  }
  return loss;
}

}  // namespace millrace::file_channel
