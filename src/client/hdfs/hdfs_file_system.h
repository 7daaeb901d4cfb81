// hdfs://: a cluster of HDFS as a file system.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "client/dfs/file_system.h"
#include "client/hdfs/open_files.h"
#include "client/hdfs/options.h"
#include "client/hdfs/rpc_name_node.h"

namespace millrace::hdfs {

// Refuses, with kConfig, encryption zones, erasure-coded files, symbolic links and clusters that
// encrypt data transfer. Durable, repeats: see OutputStream, NameNode. It outlives its streams.
// Threads: any.
class HdfsFileSystem final : public dfs::FileSystem {
 public:
  HdfsFileSystem(RpcTarget target, Options options);
  HdfsFileSystem(const HdfsFileSystem&) = delete;
  HdfsFileSystem& operator=(const HdfsFileSystem&) = delete;
  ~HdfsFileSystem() override { close(); }

  Result<std::unique_ptr<dfs::OutputStream>> create(const std::string& path,
                                                    const dfs::CreateOptions& options) override;
  Result<std::unique_ptr<dfs::OutputStream>> append(const std::string& path,
                                                    dfs::Durability durability) override;
  Result<std::unique_ptr<dfs::InputStream>> open(const std::string& path) override;
  Result<> rename(const std::string& from, const std::string& to) override;
  Result<> remove(const std::string& path, bool recursive) override;
  Result<> make_directories(const std::string& path, std::uint32_t permissions) override;
  Result<std::vector<dfs::FileStatus>> list(const std::string& path) override;
  Result<dfs::FileStatus> status(const std::string& path) override;
  Result<> set_permissions(const std::string& path, std::uint32_t permissions) override;
  Result<bool> truncate(const std::string& path, std::uint64_t length) override;
  Result<bool> recover_lease(const std::string& path) override;
  Result<bool> is_closed(const std::string& path) override;
  std::string uri() const override { return "hdfs://" + target_.address(); }
  void close() override;

 private:
  Result<> check_cluster();
  // A file whose bytes we can read and write.
  Result<FileInfo> usable_file(const std::string& path);
  std::unique_ptr<dfs::OutputStream> keep(OutputFile file);

  const RpcTarget target_;
  const Options options_;
  RpcNameNode name_node_;
  OpenFiles open_files_{name_node_};
  std::mutex mutex_;  // Guards the next one.
  bool cluster_is_checked_ = false;
};

}  // namespace millrace::hdfs
