#include "channel/file/quarantine.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/log.h"
#include "io/atomic_file.h"

namespace millrace::file_channel {
namespace {

using Path = std::filesystem::path;

Result<std::uint64_t> bytes_in(FileSystem& files, const Path& folder) {
  std::uint64_t bytes = 0;
  for (const std::string& name : TRY(files.list(folder))) {
    bytes += TRY(files.status(folder / name)).size;
  }
  return bytes;
}

Result<> expect_room(FileSystem& files, const Options& options, const Path& folder,
                     std::uint64_t bytes) {
  if (TRY(bytes_in(files, folder)) + bytes > kQuarantineBytes) {
    return transient(fmt::format("{} may hold {} bytes", folder.string(), kQuarantineBytes));
  }
  if (TRY(files.free_space(folder)) < options.minimum_free + bytes) {
    return transient("the disk is full");
  }
  return {};
}

Result<> copy(FileSystem& files, const Options& options, const File& file, ByteRange bytes,
              const Path& to) {
  const Path folder = to.parent_path();
  TRY(files.create_directories(folder));
  const std::uint64_t end = std::min(bytes.to, TRY(file.size()));
  const std::uint64_t size = end - std::min(bytes.from, end);
  TRY(expect_room(files, options, folder, size));
  std::string content(size, '\0');
  content.resize(TRY(file.read_at(content, bytes.from)));
  return replace_file(files, to, content);
}

}  // namespace

Path quarantine_path(const Path& segment, std::uint64_t order, ByteRange bytes) {
  return segment.parent_path() / "quarantine" /
         fmt::format("{}-{}-{}-{}", segment.stem().string(), order, bytes.from, bytes.to);
}

void set_aside(FileSystem& files, const Options& options, const Segment& segment, const File& file,
               std::span<const ByteRange> damaged) {
  for (const ByteRange& bytes : damaged) {
    const Path to = quarantine_path(segment.path, segment.order, bytes);
    if (files.exists(to)) {
      continue;  // Kept, and told, by an earlier start.
    }
    const Result<> copied = copy(files, options, file, bytes, to);
    log_error(options.name, "{}: bytes {} to {} are damaged, or their record was incomplete: {}",
              segment.path.string(), bytes.from, bytes.to,
              copied.ok() ? "kept as " + to.string() : "not kept, " + copied.error().message());
  }
}

}  // namespace millrace::file_channel
