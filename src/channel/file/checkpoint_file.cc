#include "channel/file/checkpoint_file.h"

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
  const std::string bytes = TRY(read_file(files, path));
  Result<Checkpoint> checkpoint = decode_checkpoint(bytes);
  if (!checkpoint.ok() && checkpoint.error().fault() == Fault::kConfig) {
    return std::move(checkpoint).error().with(path.string());
  }
  if (!checkpoint.ok()) {
    log_error(name, "{} cannot be used: {}", path.string(), checkpoint.error().message());
    return std::optional<Checkpoint>();
  }
  return std::optional<Checkpoint>(std::move(checkpoint).value());
}

Result<> write_checkpoint(FileSystem& files, const std::filesystem::path& dir,
                          const Checkpoint& checkpoint) {
  return replace_file(files, checkpoint_path(dir), encode_checkpoint(checkpoint));
}

}  // namespace millrace::file_channel
