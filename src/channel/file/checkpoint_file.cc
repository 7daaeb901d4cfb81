#include "channel/file/checkpoint_file.h"

#include <algorithm>
#include <tuple>

#include "base/log.h"
#include "channel/file/atomic_file.h"

namespace millrace::file_channel {

std::filesystem::path checkpoint_path(const std::filesystem::path& dir) {
  return dir / "channel.checkpoint";  // Flume's own is called "checkpoint".
}

namespace {

// Of two of one channel: numbers are given and positions go on, and none ever goes back.
bool is_newer(const Checkpoint& a, const Checkpoint& b) {
  const auto age = [](const Checkpoint& checkpoint) {
    std::uint64_t orders = 0;
    std::uint64_t offsets = 0;
    for (const CheckpointDir& dir : checkpoint.dirs) {
      orders += dir.order;
      offsets += dir.offset;
    }
    return std::tuple(checkpoint.next, orders, offsets);
  };
  return age(a) > age(b);
}

Result<FoundCheckpoint> find_checkpoint(FileSystem& files, const std::filesystem::path& dir) {
  FoundCheckpoint found{.dir = dir};
  const std::filesystem::path path = checkpoint_path(dir);
  if (!files.exists(path)) {
    found.trouble = "there is none";
    return found;
  }
  Result<FileStatus> status = files.status(path);
  found.written = status.ok() ? status->modified : WallTime();
  const Result<std::string> bytes = read_file(files, path);
  Result<Checkpoint> checkpoint =
      bytes.ok() ? decode_checkpoint(*bytes) : Result<Checkpoint>(bytes.error());
  if (checkpoint.ok()) {
    found.checkpoint = std::move(checkpoint).value();
  } else if (checkpoint.error().fault() == Fault::kConfig) {
    return std::move(checkpoint).error().with(path.string());
  } else {
    found.is_damaged = true;
    found.trouble =
        (bytes.ok() ? "it is damaged: " : "it cannot be read: ") + checkpoint.error().message();
  }
  return found;
}

}  // namespace

Result<std::vector<FoundCheckpoint>> find_checkpoints(FileSystem& files,
                                                      std::span<const std::filesystem::path> dirs) {
  std::vector<FoundCheckpoint> all;
  for (const std::filesystem::path& dir : dirs) {
    all.push_back(TRY(find_checkpoint(files, dir)));
  }
  std::stable_sort(all.begin(), all.end(), [](const FoundCheckpoint& a, const FoundCheckpoint& b) {
    return a.checkpoint && (!b.checkpoint || is_newer(*a.checkpoint, *b.checkpoint));
  });
  return all;
}

Result<std::vector<Checkpoint>> read_checkpoints(FileSystem& files, const std::string& name,
                                                 std::span<const std::filesystem::path> dirs) {
  std::vector<FoundCheckpoint> all = TRY(find_checkpoints(files, dirs));
  std::vector<Checkpoint> usable;
  for (FoundCheckpoint& found : all) {
    const std::string path = checkpoint_path(found.dir).string();
    if (found.checkpoint) {
      usable.push_back(std::move(*found.checkpoint));
    } else if (found.is_damaged) {
      log_error(name, "{} is not used: {}", path, found.trouble);
    } else if (dirs.size() > 1) {
      log_warning(name, "{} is not used: {}", path, found.trouble);
    }
  }
  return usable;
}

Result<> write_checkpoint(FileSystem& files, const std::filesystem::path& dir,
                          const Checkpoint& checkpoint) {
  return replace_file(files, checkpoint_path(dir), encode_checkpoint(checkpoint));
}

}  // namespace millrace::file_channel
