#include "channel/file/checkpoint_file.h"

#include <algorithm>
#include <tuple>

#include "base/log.h"
#include "io/atomic_file.h"

namespace millrace::file_channel {

std::filesystem::path checkpoint_path(const std::filesystem::path& dir) {
  return dir / "channel.checkpoint";  // Flume's own is called "checkpoint".
}

namespace {

// Of two of one channel: positions go on, and never go back, in the dirs that it still has. Numbers
// may: a power loss takes those that were given and not synced.
bool is_newer(const Checkpoint& a, const Checkpoint& b) {
  std::tuple<std::uint64_t, std::uint64_t, EventNumber> age_of_a{0, 0, a.next};
  std::tuple<std::uint64_t, std::uint64_t, EventNumber> age_of_b{0, 0, b.next};
  for (const CheckpointDir& dir : a.dirs) {
    if (const CheckpointDir* const other = part_of(b, dir.directory)) {
      std::get<0>(age_of_a) += dir.order;
      std::get<1>(age_of_a) += dir.offset;
      std::get<0>(age_of_b) += other->order;
      std::get<1>(age_of_b) += other->offset;
    }
  }
  return age_of_a > age_of_b;
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
