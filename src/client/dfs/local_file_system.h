// file://: the files of this machine behind the interface of Hadoop's.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "client/dfs/file_system.h"
#include "io/file_system.h"

namespace millrace::dfs {

// Durable: hflush hands bytes to the operating system; hsync waits for the disk, and for the file's
// name in its folder. Rename, remove and new folders are on disk when they return. Nobody has a
// lease: every file is closed. Threads: any.
class LocalFileSystem final : public FileSystem {
 public:
  // `files` outlives it and its streams.
  explicit LocalFileSystem(millrace::FileSystem& files) : files_(files) {}

  Result<std::unique_ptr<OutputStream>> create(const std::string& path,
                                               const CreateOptions& options) override;
  Result<std::unique_ptr<OutputStream>> append(const std::string& path,
                                               Durability durability) override;
  Result<std::unique_ptr<InputStream>> open(const std::string& path) override;
  Result<> rename(const std::string& from, const std::string& to) override;
  Result<> remove(const std::string& path, bool recursive) override;
  Result<> make_directories(const std::string& path, std::uint32_t permissions) override;
  Result<std::vector<FileStatus>> list(const std::string& path) override;
  Result<FileStatus> status(const std::string& path) override;
  Result<> set_permissions(const std::string& path, std::uint32_t permissions) override;
  Result<bool> truncate(const std::string& path, std::uint64_t length) override;
  Result<bool> recover_lease(const std::string& path) override;
  Result<bool> is_closed(const std::string& path) override;
  std::string uri() const override { return "file://"; }
  void close() override { closed_ = true; }

 private:
  Result<> check_open() const;

  millrace::FileSystem& files_;
  std::atomic<bool> closed_{false};
};

}  // namespace millrace::dfs
