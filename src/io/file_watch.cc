#include "io/file_watch.h"

#include <sys/inotify.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "io/system_calls.h"

namespace millrace {
namespace {

constexpr unsigned kFolderChanges = IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_FROM |
                                    IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;

FileWatch::Change change_of(const inotify_event& event) {
  using Kind = FileWatch::Change::Kind;
  FileWatch::Change change{Kind::kNames, event.wd, {}};
  if (event.len > 0) {
    change.name = event.name;  // Zero-terminated, and maybe with more zeros.
  }
  if ((event.mask & IN_Q_OVERFLOW) != 0) {
    change.kind = Kind::kLost;
  } else if ((event.mask & IN_IGNORED) != 0) {
    change.kind = Kind::kEnded;
  } else if ((event.mask & IN_MODIFY) != 0) {
    change.kind = Kind::kContent;
  }
  return change;
}

}  // namespace

Result<FileWatch> FileWatch::open() {
  Descriptor descriptor(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  if (!descriptor) {
    return system_error("cannot watch files (fs.inotify.max_user_instances)", errno);
  }
  return FileWatch(std::move(descriptor));
}

Result<int> FileWatch::watch_folder(const std::filesystem::path& path) {
  return watch(path, kFolderChanges);
}

Result<int> FileWatch::watch_file(const std::filesystem::path& path) {
  return watch(path, IN_MODIFY);
}

Result<int> FileWatch::watch(const std::filesystem::path& path, unsigned mask) {
  const int number = ::inotify_add_watch(descriptor_.get(), path.c_str(), mask);
  if (number < 0) {
    return file_error(errno == ENOSPC ? "watch (fs.inotify.max_user_watches)" : "watch", path);
  }
  return number;
}

void FileWatch::end(int watch) {
  static_cast<void>(::inotify_rm_watch(descriptor_.get(), watch));  // It may have ended.
}

void FileWatch::read(const std::function<void(const Change&)>& take) {
  alignas(inotify_event) std::array<char, 64 * 1024> bytes;
  for (;;) {
    const ssize_t count =
        uninterrupted([&] { return ::read(descriptor_.get(), bytes.data(), bytes.size()); });
    if (count <= 0) {
      return;
    }
    for (std::size_t at = 0; at < static_cast<std::size_t>(count);) {
      const auto& event = *reinterpret_cast<const inotify_event*>(bytes.data() + at);
      take(change_of(event));
      at += sizeof(inotify_event) + event.len;
    }
  }
}

bool FileWatch::is_shared(const std::filesystem::path& path) {
  // NFS, SMB, CIFS, SMB2, FUSE, 9P, Ceph, AFS, Lustre, GPFS.
  constexpr std::array<std::uint32_t, 10> kShared{0x6969,     0x517B,     0xFF534D42, 0xFE534D42,
                                                  0x65735546, 0x01021997, 0x00C36400, 0x5346414F,
                                                  0x0BD00BD0, 0x47504653};
  struct statfs status {};
  if (::statfs(path.c_str(), &status) != 0) {
    return true;
  }
  const auto type = static_cast<std::uint32_t>(status.f_type);
  return std::find(kShared.begin(), kShared.end(), type) != kShared.end();
}

}  // namespace millrace
