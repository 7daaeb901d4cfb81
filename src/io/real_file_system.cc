// The kernel's file system behind the interface of file_system.h.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

#include "io/descriptor.h"
#include "io/file_system.h"
#include "io/open_files.h"
#include "io/real_file.h"
#include "io/system_calls.h"

namespace millrace {
namespace {

using Path = std::filesystem::path;

class RealLock final : public FileLock {
 public:
  explicit RealLock(Descriptor fd) : fd_(std::move(fd)) {}

 private:
  const Descriptor fd_;  // flock() ends when it is closed.
};

class RealFileSystem final : public FileSystem {
 public:
  Result<std::unique_ptr<File>> open(const Path& path, OpenMode mode) override;
  Result<> rename(const Path& from, const Path& to) override {
    if (::rename(from.c_str(), to.c_str()) != 0) {
      return file_error("rename to " + to.string(), from);
    }
    return {};
  }
  Result<> rename_to_new(const Path& from, const Path& to) override {
    if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) != 0) {
      return file_error("rename to " + to.string(), from);
    }
    return {};
  }
  Result<> remove(const Path& path) override {
    if (std::remove(path.c_str()) != 0) {
      return file_error("remove", path);
    }
    return {};
  }
  Result<> set_permissions(const Path& path, std::uint32_t permissions) override {
    if (::chmod(path.c_str(), permissions) != 0) {
      return file_error("set the permissions of", path);
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
      return file_error("ask the free space of", path);
    }
    return static_cast<std::uint64_t>(space.f_bavail) * space.f_frsize;
  }
  Result<std::unique_ptr<FileLock>> lock(const Path& path) override;
  std::optional<int> lock_holder(const Path& path) override;
  std::optional<int> opened_by(const Path& path) override { return process_with_open(path); }
};

Result<std::unique_ptr<File>> RealFileSystem::open(const Path& path, OpenMode mode) {
  int flags = O_CLOEXEC | (mode == OpenMode::kRead ? O_RDONLY : O_RDWR);
  if (mode == OpenMode::kCreate) {
    flags |= O_CREAT | O_EXCL;
  } else if (mode == OpenMode::kTruncate) {
    flags |= O_CREAT | O_TRUNC;
  }
  Descriptor fd(uninterrupted([&] { return ::open(path.c_str(), flags, 0666); }));
  if (!fd) {
    return file_error("open", path);
  }
  return std::unique_ptr<File>(std::make_unique<RealFile>(std::move(fd), path));
}

Result<> RealFileSystem::sync_directory(const Path& path) {
  const Path folder = path.empty() ? Path(".") : path;
  const Descriptor fd(
      uninterrupted([&] { return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
  if (!fd) {
    return file_error("open the folder", folder);
  }
  if (uninterrupted([&] { return ::fsync(fd.get()); }) != 0) {
    return file_error("sync the folder", folder);
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
      return file_error("make the folder", made);
    }
  }
  struct stat status {};
  if (!path.empty() && ::stat(path.c_str(), &status) != 0) {
    return file_error("make the folder", path);
  }
  if (!path.empty() && !S_ISDIR(status.st_mode)) {
    errno = ENOTDIR;
    return file_error("make the folder", path);
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
    return file_error("ask about", path);
  }
  return file_status(found);
}

Result<std::unique_ptr<FileLock>> RealFileSystem::lock(const Path& path) {
  Descriptor fd(
      uninterrupted([&] { return ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666); }));
  if (!fd) {
    return file_error("open the lock", path);
  }
  char owner[32] = {};
  if (uninterrupted([&] { return ::flock(fd.get(), LOCK_EX | LOCK_NB); }) != 0) {
    if (errno != EWOULDBLOCK) {
      return file_error("lock", path);
    }
    const ssize_t size = ::pread(fd.get(), owner, sizeof owner - 1, 0);
    std::string pid(owner, size > 0 ? static_cast<std::size_t>(size) : 0);
    pid.erase(std::min(pid.find_first_not_of("0123456789"), pid.size()));
    return bad_config(path.string() + " is locked by process " + (pid.empty() ? "?" : pid));
  }
  // A full disk may refuse it: the lock holds all the same, and others name no process.
  const int length = std::snprintf(owner, sizeof owner, "%d\n", ::getpid());
  if (::ftruncate(fd.get(), 0) == 0) {
    static_cast<void>(::pwrite(fd.get(), owner, static_cast<std::size_t>(length), 0));
  }
  return std::unique_ptr<FileLock>(std::make_unique<RealLock>(std::move(fd)));
}

// The kernel lists its locks, of the processes that ours can see: "1: FLOCK  ADVISORY  WRITE 4711
// fe:00:9978133 0 EOF". The device there is not always the one that stat() gives: an inode of the
// same number on another device is told apart by the pid that its holder wrote.
std::optional<int> RealFileSystem::lock_holder(const Path& path) {
  struct stat found {};
  const Result<std::string> written = read_file(*this, path);
  std::ifstream locks("/proc/locks");
  if (!written.ok() || ::stat(path.c_str(), &found) != 0) {
    return std::nullopt;
  }
  const std::string inode = ":" + std::to_string(found.st_ino);
  for (std::string line; std::getline(locks, line);) {
    std::istringstream words(line);
    std::string number, kind, strictness, access, pid, place;
    words >> number >> kind >> strictness >> access >> pid >> place;
    if (kind == "FLOCK" && place.ends_with(inode) && *written == pid + "\n") {
      return std::atoi(pid.c_str());
    }
  }
  return std::nullopt;
}

}  // namespace

FileSystem& real_file_system() {
  static RealFileSystem instance;
  return instance;
}

}  // namespace millrace
