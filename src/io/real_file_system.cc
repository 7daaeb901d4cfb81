// The kernel's file system behind the interface of file_system.h.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <string>
#include <utility>

#include "io/file_system.h"

namespace millrace {
namespace {

using Path = std::filesystem::path;

Error failed(std::string_view what, const Path& path) {
  const int error_number = errno;  // Before the text below may change it.
  return system_error("cannot " + std::string(what) + " " + path.string(), error_number);
}

// Owns a descriptor; it is closed on exec, so that children do not keep files and locks alive.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) {
      ::close(fd_);
    }
  }
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

// Calls `call` again as long as a signal interrupts it.
template <class Call>
auto uninterrupted(Call call) {
  decltype(call()) result;
  do {
    result = call();
  } while (result < 0 && errno == EINTR);
  return result;
}

class RealFile final : public File {
 public:
  RealFile(int fd, Path path) : fd_(fd), path_(std::move(path)) {}

  Result<> write_at(std::span<const iovec> pieces, std::uint64_t offset) override;
  Result<std::size_t> read_at(std::span<char> space, std::uint64_t offset) const override;
  Result<> sync_data() override {
    if (uninterrupted([&] { return ::fdatasync(fd_.get()); }) != 0) {
      return failed("sync", path_);
    }
    return {};
  }
  Result<std::uint64_t> size() const override {
    struct stat status {};
    if (::fstat(fd_.get(), &status) != 0) {
      return failed("ask the size of", path_);
    }
    return static_cast<std::uint64_t>(status.st_size);
  }
  Result<> truncate(std::uint64_t size) override {
    if (uninterrupted([&] { return ::ftruncate(fd_.get(), static_cast<off_t>(size)); }) != 0) {
      return failed("truncate", path_);
    }
    return {};
  }
  Result<> allocate(std::uint64_t size) override {
    const int error_number = ::posix_fallocate(fd_.get(), 0, static_cast<off_t>(size));
    if (error_number != 0) {
      return system_error("cannot reserve " + std::to_string(size) + " bytes for " + path_.string(),
                          error_number);
    }
    return {};
  }

 private:
  const Descriptor fd_;
  const Path path_;
};

Result<> RealFile::write_at(std::span<const iovec> pieces, std::uint64_t offset) {
  std::vector<iovec> window;  // A copy of what pwritev is given: a short write cuts its front.
  while (!pieces.empty()) {
    const std::size_t count = std::min<std::size_t>(pieces.size(), IOV_MAX);
    window.assign(pieces.begin(), pieces.begin() + static_cast<std::ptrdiff_t>(count));
    pieces = pieces.subspan(count);
    std::span<iovec> left(window);
    while (!left.empty()) {
      const ssize_t written = uninterrupted([&] {
        return ::pwritev(fd_.get(), left.data(), static_cast<int>(left.size()),
                         static_cast<off_t>(offset));
      });
      if (written < 0) {
        return failed("write", path_);
      }
      offset += static_cast<std::uint64_t>(written);
      auto done = static_cast<std::size_t>(written);
      while (!left.empty() && done >= left.front().iov_len) {
        done -= left.front().iov_len;
        left = left.subspan(1);
      }
      if (!left.empty()) {
        left.front().iov_base = static_cast<char*>(left.front().iov_base) + done;
        left.front().iov_len -= done;
      }
    }
  }
  return {};
}

Result<std::size_t> RealFile::read_at(std::span<char> space, std::uint64_t offset) const {
  std::size_t filled = 0;
  while (filled < space.size()) {
    ssize_t got = uninterrupted([&] {
      return ::pread(fd_.get(), space.data() + filled, space.size() - filled,
                     static_cast<off_t>(offset + filled));
    });
    if (got < 0 && errno == ESPIPE) {  // A pipe: it has one order alone.
      got = uninterrupted(
          [&] { return ::read(fd_.get(), space.data() + filled, space.size() - filled); });
    }
    if (got < 0) {
      return failed("read", path_);
    }
    if (got == 0) {
      break;
    }
    filled += static_cast<std::size_t>(got);
  }
  return filled;
}

class RealLock final : public FileLock {
 public:
  explicit RealLock(int fd) : fd_(fd) {}

 private:
  const Descriptor fd_;  // flock() ends when it is closed.
};

class RealFileSystem final : public FileSystem {
 public:
  Result<std::unique_ptr<File>> open(const Path& path, OpenMode mode) override;
  Result<> rename(const Path& from, const Path& to) override {
    if (::rename(from.c_str(), to.c_str()) != 0) {
      return failed("rename to " + to.string(), from);
    }
    return {};
  }
  Result<> remove(const Path& path) override {
    if (std::remove(path.c_str()) != 0) {
      return failed("remove", path);
    }
    return {};
  }
  Result<> sync_directory(const Path& path) override;
  Result<> create_directories(const Path& path) override;
  Result<std::vector<std::string>> list(const Path& path) override;
  Result<FileStatus> status(const Path& path) override;
  bool exists(const Path& path) override { return ::access(path.c_str(), F_OK) == 0; }
  Result<std::uint64_t> free_space(const Path& path) override {
    struct statvfs space {};
    if (::statvfs(path.c_str(), &space) != 0) {
      return failed("ask the free space of", path);
    }
    return static_cast<std::uint64_t>(space.f_bavail) * space.f_frsize;
  }
  Result<std::unique_ptr<FileLock>> lock(const Path& path) override;
};

Result<std::unique_ptr<File>> RealFileSystem::open(const Path& path, OpenMode mode) {
  int flags = O_CLOEXEC | (mode == OpenMode::kRead ? O_RDONLY : O_RDWR);
  if (mode == OpenMode::kCreate) {
    flags |= O_CREAT | O_EXCL;
  } else if (mode == OpenMode::kTruncate) {
    flags |= O_CREAT | O_TRUNC;
  }
  Descriptor fd(uninterrupted([&] { return ::open(path.c_str(), flags, 0666); }));
  if (fd.get() < 0) {
    return failed("open", path);
  }
  return std::unique_ptr<File>(std::make_unique<RealFile>(fd.release(), path));
}

Result<> RealFileSystem::sync_directory(const Path& path) {
  const Path folder = path.empty() ? Path(".") : path;
  const Descriptor fd(
      uninterrupted([&] { return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
  if (fd.get() < 0) {
    return failed("open the folder", folder);
  }
  if (uninterrupted([&] { return ::fsync(fd.get()); }) != 0) {
    return failed("sync the folder", folder);
  }
  return {};
}

Result<> RealFileSystem::create_directories(const Path& path) {
  Path made;
  for (const Path& part : path) {
    const Path parent = made;
    made /= part;
    if (::mkdir(made.c_str(), 0777) == 0) {
      TRY(sync_directory(parent));
    } else if (errno != EEXIST && errno != EISDIR && errno != EROFS) {
      return failed("make the folder", made);
    }
  }
  struct stat status {};
  if (!path.empty() && ::stat(path.c_str(), &status) != 0) {
    return failed("make the folder", path);
  }
  if (!path.empty() && !S_ISDIR(status.st_mode)) {
    errno = ENOTDIR;
    return failed("make the folder", path);
  }
  return {};
}

Result<std::vector<std::string>> RealFileSystem::list(const Path& path) {
  std::vector<std::string> names;
  std::error_code error;
  std::filesystem::directory_iterator entry(path, error);
  while (!error && entry != std::filesystem::directory_iterator()) {
    names.push_back(entry->path().filename().string());
    entry.increment(error);
  }
  if (error) {
    return system_error("cannot list " + path.string(), error.value());
  }
  std::sort(names.begin(), names.end());
  return names;
}

Result<FileStatus> RealFileSystem::status(const Path& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) {
    return failed("ask about", path);
  }
  FileStatus status;
  status.size = static_cast<std::uint64_t>(found.st_size);
  status.is_directory = S_ISDIR(found.st_mode);
  status.modified = WallTime(std::chrono::duration_cast<WallTime::duration>(
      std::chrono::seconds(found.st_mtim.tv_sec) +
      std::chrono::nanoseconds(found.st_mtim.tv_nsec)));
  return status;
}

Result<std::unique_ptr<FileLock>> RealFileSystem::lock(const Path& path) {
  Descriptor fd(
      uninterrupted([&] { return ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666); }));
  if (fd.get() < 0) {
    return failed("open the lock", path);
  }
  char owner[32] = {};
  if (uninterrupted([&] { return ::flock(fd.get(), LOCK_EX | LOCK_NB); }) != 0) {
    if (errno != EWOULDBLOCK) {
      return failed("lock", path);
    }
    const ssize_t size = ::pread(fd.get(), owner, sizeof owner - 1, 0);
    std::string pid(owner, size > 0 ? static_cast<std::size_t>(size) : 0);
    pid.erase(std::min(pid.find_first_not_of("0123456789"), pid.size()));
    return bad_config(path.string() + " is locked by process " + (pid.empty() ? "?" : pid));
  }
  const int length = std::snprintf(owner, sizeof owner, "%d\n", ::getpid());
  if (::ftruncate(fd.get(), 0) != 0 ||
      ::pwrite(fd.get(), owner, static_cast<std::size_t>(length), 0) != length) {
    return failed("write our process id into", path);
  }
  return std::unique_ptr<FileLock>(std::make_unique<RealLock>(fd.release()));
}

}  // namespace

Result<> File::write_at(std::string_view bytes, std::uint64_t offset) {
  const iovec piece{const_cast<char*>(bytes.data()), bytes.size()};
  return write_at(std::span(&piece, 1), offset);
}

Result<std::string> read_file(FileSystem& files, const std::filesystem::path& path) {
  const std::unique_ptr<File> file = TRY(files.open(path, OpenMode::kRead));
  // To its end rather than by its size: files of /proc and /sys say that they are empty.
  constexpr std::size_t kStep = 64 * 1024;
  std::string contents;
  for (;;) {
    const std::size_t have = contents.size();
    contents.resize(have + kStep);
    const std::size_t got = TRY(file->read_at({contents.data() + have, kStep}, have));
    contents.resize(have + got);
    if (got == 0) {
      return contents;
    }
  }
}

FileSystem& real_file_system() {
  static RealFileSystem instance;
  return instance;
}

}  // namespace millrace
