#include "channel/file/checkpoint_file.h"

#include <algorithm>
#include <tuple>

#include "base/log.h"
#include "channel/file/atomic_file.h"

namespace millrace::file_channel {

std::filesystem::path checkpoint_path(const std::filesystem::path& dir) {
  return dir / "channel.checkpoint";  // Flume's own is called "checkpoint".
}

Result<std::optional<Checkpoint>> read_checkpoint(FileSystem& files, const std::string& name,
                                                  const std::filesystem::path& dir) {
  const std::filesystem::path path = checkpoint_path(dir);
  if (!files.exists(path)) {
    return std::optional<Checkpoint>();
  }
  const Result<std::string> bytes = read_file(files, path);
  Result<Checkpoint> checkpoint =
      bytes.ok() ? decode_checkpoint(*bytes) : Result<Checkpoint>(bytes.error());
  if (!checkpoint.ok() && checkpoint.error().fault() == Fault::kConfig) {
    return std::move(checkpoint).error().with(path.string());
  }
  if (!checkpoint.ok()) {
    log_error(name, "{} cannot be used: {}", path.string(), checkpoint.error().message());
    return std::optional<Checkpoint>();
  }
  return std::optional<Checkpoint>(std::move(checkpoint).value());
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

}  // namespace

Result<std::vector<Checkpoint>> read_checkpoints(FileSystem& files, const std::string& name,
                                                 std::span<const std::filesystem::path> dirs) {
  std::vector<Checkpoint> all;
  for (const std::filesystem::path& dir : dirs) {
    if (std::optional<Checkpoint> checkpoint = TRY(read_checkpoint(files, name, dir))) {
      all.push_back(std::move(*checkpoint));
    } else if (dirs.size() > 1) {
      log_warning(name, "there is no usable checkpoint in {}", dir.string());
    }
  }
  std::stable_sort(all.begin(), all.end(), is_newer);
  return all;
}

Result<> write_checkpoint(FileSystem& files, const std::filesystem::path& dir,
                          const Checkpoint& checkpoint) {
  return replace_file(files, checkpoint_path(dir), encode_checkpoint(checkpoint));
}

}  // namespace millrace::file_channel
