#include "channel/file/folders.h"

#include <utility>

#include "base/log.h"
#include "channel/file/checkpoint_file.h"
#include "io/atomic_file.h"

namespace millrace::file_channel {
namespace {

using Path = std::filesystem::path;

// A folder, or why there is none.
struct Opened {
  std::unique_ptr<FileLock> lock;
  std::string why_not;
};

// An error when another process has it: whoever holds it may be on its way out, as an agent that
// stops while its successor starts.
Result<Opened> open_folder(FileSystem& files, const Path& dir) {
  if (const Result<> made = files.create_directories(dir); !made.ok()) {
    return Opened{nullptr, made.error().message()};
  }
  Result<std::unique_ptr<FileLock>> lock = files.lock(lock_path(dir));
  if (lock.ok()) {
    // What a killed process made, renamed or removed without syncing it is found as it left it: a
    // power loss must not change that any more. Else a segment that it had given up would come back
    // beside the one that has its order, and its numbers, by then.
    if (const Result<> durable = files.sync_directory(dir); !durable.ok()) {
      return Opened{nullptr, durable.error().message()};
    }
    return Opened{std::move(lock).value(), {}};
  }
  if (lock.error().fault() == Fault::kConfig) {
    return transient(lock.error().message());
  }
  return Opened{nullptr, lock.error().message()};
}

Result<> open_checkpoint_dirs(FileSystem& files, const Options& options, DirLocks& locks) {
  std::string why_not;
  for (const Path& dir : options.checkpoint_dirs()) {
    Opened opened = TRY(open_folder(files, dir));
    if (opened.lock != nullptr) {
      locks.push_back(std::move(opened.lock));
    } else {
      log_warning(options.name, "without its checkpoints: {}", opened.why_not);
      why_not = std::move(opened.why_not);
    }
  }
  return locks.empty() ? Result<>(transient(why_not)) : Result<>();
}

}  // namespace

Result<DirLocks> open_folders(FileSystem& files, const Options& options) {
  DirLocks locks;
  TRY(open_checkpoint_dirs(files, options, locks));
  for (const Path& dir : options.data_dirs) {
    Opened opened = TRY(open_folder(files, dir));
    if (opened.lock == nullptr) {
      return transient(opened.why_not);
    }
    locks.push_back(std::move(opened.lock));
  }
  return locks;
}

KnownChannel known_channel(FileSystem& files, const Options& options,
                           const std::vector<Checkpoint>& checkpoints) {
  KnownChannel known;
  if (!checkpoints.empty()) {
    for (const EventRange& range : checkpoints.front().live) {
      known.events += range.count();
    }
  }
  for (const Path& dir : options.checkpoint_dirs()) {
    if (known.events > 0 && files.exists(checkpoint_path(dir))) {
      known.places.push_back(checkpoint_path(dir));
    }
    if (files.exists(meta_path(dir))) {
      known.places.push_back(meta_path(dir));
    }
  }
  return known;
}

void remember(FileSystem& files, const Options& options, const Identity& identity) {
  const std::string text = encode_meta(meta_of(identity, options.data_dirs));
  for (const Path& dir : options.checkpoint_dirs()) {
    const Result<std::string> before = read_file(files, meta_path(dir));
    if (before.ok() && *before == text) {
      continue;
    }
    if (const Result<> written = replace_file(files, meta_path(dir), text); !written.ok()) {
      log_warning(options.name, "{}", written.error().message());
    }
  }
}

}  // namespace millrace::file_channel
