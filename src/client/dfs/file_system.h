// Hadoop's file systems behind one interface: `hdfs://` (client/hdfs) and `file://`
// (local_file_system.h).
#pragma once

#include <sys/uio.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace millrace::dfs {

// How far a flush carries what was written.
enum class Durability {
  kHflush,  // Every replica of the pipeline has it in memory: new readers see it.
  kHsync,   // Every replica of the pipeline has it on disk.
};

struct FileStatus {
  std::string path;          // From the root: "/flows/a.log".
  std::uint64_t length = 0;  // Bytes; of an open file, those the NameNode knows of.
  bool is_directory = false;
  WallTime modified;
  std::uint32_t permissions = 0;  // As chmod takes them.
  std::string owner;
  std::string group;
  std::uint32_t replication = 0;
  std::uint64_t block_size = 0;  // Bytes.
};

struct CreateOptions {
  std::uint32_t permissions = 0644;
  std::uint32_t replication = 0;  // 0: dfs.replication.
  std::uint64_t block_size = 0;   // Bytes; 0: dfs.blocksize.
  // kHsync: each block is also synced when it is full (CreateFlag.SYNC_BLOCK), without which a
  // hsync covers the last block alone.
  Durability durability = Durability::kHflush;
};

// A file being written. After an error of write() or a flush nothing but close() or abandon() is of
// use: what was flushed before is there, of the rest any beginning may be. Threads: one at a time.
class OutputStream {
 public:
  // Abandons what was not closed.
  virtual ~OutputStream() = default;

  // Appends; goes out when a packet is full. Blocks while too much is unacknowledged.
  virtual Result<> write(std::span<const iovec> pieces) = 0;
  Result<> write(std::string_view bytes);
  // Sends what was written and asks for it to be made durable, without waiting; then waits. Files
  // flushed together start all, then finish all.
  virtual Result<> start_flush(Durability durability) = 0;
  virtual Result<> finish_flush() = 0;
  Result<> flush(Durability durability);
  // Everything written is in the file, which is complete and has its length; it is as durable as
  // the last flush made it. May be called again after kTransient: it goes on where it stood.
  virtual Result<> close() = 0;
  // Drops the connection; the file stays open for others until its lease is recovered
  // (recover_lease()).
  virtual void abandon() = 0;

  virtual std::uint64_t length() const = 0;  // Bytes of the file, with all written to it.
  // Replicas in the pipeline of the open block; as many as asked for while none is open.
  virtual std::uint32_t live_replicas() const = 0;
};

// A file being read. Threads: one at a time.
class InputStream {
 public:
  virtual ~InputStream() = default;
  // Fills `space` from `offset`; less is read only at the end.
  virtual Result<std::size_t> read_at(std::span<char> space, std::uint64_t offset) = 0;
  virtual std::uint64_t length()
      const = 0;  // Bytes; of an open file, those that a DataNode says are visible.
};

// Paths are absolute and of this file system: "/flows/a.log". Errors: kTransient, with
// error_number() ENOENT, EEXIST, ENOTDIR, EISDIR, ENOTEMPTY, EACCES, EDQUOT, ENOSPC, EBUSY
// (somebody else holds the lease), ETIMEDOUT where one of these is the reason; kConfig for what
// cannot be used at all (encryption zone, erasure coding, secure cluster); kClosed after close().
// Each call ends within the call's time-out (Options) or with ETIMEDOUT. Threads: any.
class FileSystem {
 public:
  virtual ~FileSystem() = default;

  // Makes missing folders. EEXIST when the name is taken: never overwrites.
  virtual Result<std::unique_ptr<OutputStream>> create(const std::string& path,
                                                       const CreateOptions& options) = 0;
  // Goes on at the end of a closed file.
  virtual Result<std::unique_ptr<OutputStream>> append(const std::string& path,
                                                       Durability durability) = 0;
  virtual Result<std::unique_ptr<InputStream>> open(const std::string& path) = 0;

  // EEXIST when `to` is there: never replaces, never moves into a folder. Durable when it returns.
  virtual Result<> rename(const std::string& from, const std::string& to) = 0;
  // A folder with all below it when `recursive`; else ENOTEMPTY. ENOENT when it is not there.
  virtual Result<> remove(const std::string& path, bool recursive) = 0;
  virtual Result<> make_directories(const std::string& path, std::uint32_t permissions) = 0;
  virtual Result<std::vector<FileStatus>> list(
      const std::string& path) = 0;                                // By name; of a file, itself.
  virtual Result<FileStatus> status(const std::string& path) = 0;  // ENOENT when it is not there.
  virtual Result<> set_permissions(const std::string& path, std::uint32_t permissions) = 0;
  // True when done; false when the last block is still being cut: wait for is_closed(). The file
  // must be closed.
  virtual Result<bool> truncate(const std::string& path, std::uint64_t length) = 0;
  // Ends whoever writes the file. True when it is closed already, else it will be: wait for
  // is_closed().
  virtual Result<bool> recover_lease(const std::string& path) = 0;
  virtual Result<bool> is_closed(const std::string& path) = 0;

  virtual std::string uri() const = 0;  // "hdfs://127.0.0.1:8020", "file://".
  // Ends calls that wait, and drops what is open. Later calls fail with kClosed.
  virtual void close() = 0;
};

}  // namespace millrace::dfs
