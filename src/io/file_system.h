// Files behind an interface: the real one, and a fake (fake_file_system.h) that forgets what was
// not synced and fails when told to. Paths are absolute or relative to the process's folder.
#pragma once

#include <sys/uio.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace millrace {

enum class OpenMode {
  kRead,       // Must exist.
  kReadWrite,  // Must exist; contents stay.
  kCreate,     // Must not exist.
  kTruncate,   // Made if it is not there, emptied if it is.
};

// What tells files apart, whatever their names. A number is given again once its file is gone.
struct FileId {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  friend bool operator==(const FileId&, const FileId&) = default;
};

struct FileStatus {
  std::uint64_t size = 0;
  bool is_directory = false;
  bool is_regular = false;  // Neither a folder, nor a pipe, a socket or a device.
  WallTime modified;
  std::uint32_t permissions = 0600;  // As chmod takes them.
  FileId id;
};

// An open file. Positions and sizes are in bytes. Threads: one writer at a time; reads and
// sync_data() may run beside it. What was written before a sync_data() began is durable when that
// returns.
class File {
 public:
  virtual ~File() = default;

  // Writes all of `pieces`, one behind the other, at `offset`; short writes are continued.
  virtual Result<> write_at(std::span<const iovec> pieces, std::uint64_t offset) = 0;
  Result<> write_at(std::string_view bytes, std::uint64_t offset);

  // Fills `space` from `offset`; less is read only at the end of the file.
  virtual Result<std::size_t> read_at(std::span<char> space, std::uint64_t offset) const = 0;

  // What was written, and the size, survive a power loss (fdatasync). After a failure the pages
  // that were not written are lost to the kernel too: do not call it again for them, write them
  // elsewhere.
  virtual Result<> sync_data() = 0;

  virtual Result<std::uint64_t> size() const = 0;
  virtual Result<FileStatus> status() const = 0;
  virtual Result<> truncate(std::uint64_t size) = 0;
  // Reserves blocks for [0, size) and makes the file that long; reads as zeros (fallocate).
  virtual Result<> allocate(std::uint64_t size) = 0;
};

// Held as long as it lives.
class FileLock {
 public:
  virtual ~FileLock() = default;
};

// Names made, renamed or removed survive a power loss only after sync_directory() of their folder.
// Threads: any.
class FileSystem {
 public:
  virtual ~FileSystem() = default;
  using Path = std::filesystem::path;

  virtual Result<std::unique_ptr<File>> open(const Path& path, OpenMode mode) = 0;
  virtual Result<> rename(const Path& from, const Path& to) = 0;  // Replaces `to`.
  // EEXIST when `to` is there, without a moment in which another process could lose it.
  virtual Result<> rename_to_new(const Path& from, const Path& to) = 0;
  virtual Result<> remove(const Path& path) = 0;  // A file, or a folder that is empty.
  virtual Result<> set_permissions(const Path& path, std::uint32_t permissions) = 0;
  virtual Result<> sync_directory(const Path& path) = 0;
  // Makes `path` and what is missing above it, and syncs every folder that gained a name.
  virtual Result<> create_directories(const Path& path) = 0;
  virtual Result<std::vector<std::string>> list(const Path& path) = 0;  // Names, sorted.
  virtual Result<FileStatus> status(const Path& path) = 0;
  virtual bool exists(const Path& path) = 0;
  // Bytes that an unprivileged process may still write on the file system of `path`.
  virtual Result<std::uint64_t> free_space(const Path& path) = 0;
  // Locks `path`, made if missing, against other processes and other holders in this one, and
  // writes our pid into it where that can be done. kConfig, naming the pid inside, when it is held.
  virtual Result<std::unique_ptr<FileLock>> lock(const Path& path) = 0;
  // The process that holds the lock on `path`; nothing when none does, or none that can be seen
  // from here, as from a container. Asks without touching the lock.
  virtual std::optional<int> lock_holder(const Path& path) = 0;
  // Another process that has `path` open, as far as we may look: root sees all of the machine's,
  // others their own user's.
  virtual std::optional<int> opened_by(const Path& path) = 0;
};

// The whole of a file that is known to be small.
Result<std::string> read_file(FileSystem& files, const std::filesystem::path& path);

// The kernel's file system. Lives as long as the process.
FileSystem& real_file_system();

}  // namespace millrace
