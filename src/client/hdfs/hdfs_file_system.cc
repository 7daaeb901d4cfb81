#include "client/hdfs/hdfs_file_system.h"

#include <fmt/core.h>

#include <cerrno>
#include <random>
#include <utility>

#include "client/hdfs/hdfs_input_stream.h"
#include "client/hdfs/visible_length.h"

namespace millrace::hdfs {
namespace {

std::string unique_client_name() {
  std::random_device random;
  return fmt::format("millrace_{:08x}{:08x}", random(), random());
}

Result<> check_supported(const FileInfo& info) {
  const std::string& path = info.status.path;
  if (info.symlink) {
    return bad_config(path + " is a symbolic link, which is not supported");
  }
  if (info.encrypted) {
    return bad_config(path + " is in an encryption zone, which is not supported yet");
  }
  if (info.erasure_coded && !info.status.is_directory) {
    return bad_config(path + " is erasure coded, which is not supported yet");
  }
  return {};
}

OutputFile output_file(const FileInfo& info, dfs::Durability durability) {
  OutputFile file;
  file.file = {info.status.path, info.file_id};
  file.block_size = info.status.block_size;
  file.replication = info.status.replication;
  file.length = info.status.length;
  file.sync_blocks = durability == dfs::Durability::kHsync;
  return file;
}

}  // namespace

HdfsFileSystem::HdfsFileSystem(RpcTarget target, Options options)
    : target_(std::move(target)),
      options_(std::move(options)),
      name_node_(target_, options_.rpc, unique_client_name()) {}

void HdfsFileSystem::close() {
  name_node_.close();
  open_files_.stop();
}

Result<> HdfsFileSystem::check_cluster() {
  {
    const std::lock_guard lock(mutex_);
    if (cluster_is_checked_) {
      return {};
    }
  }
  if (TRY(name_node_.get_server_defaults()).encrypts_data_transfer) {
    return bad_config(uri() + " encrypts the transfer of data, which is not supported yet");
  }
  const std::lock_guard lock(mutex_);
  cluster_is_checked_ = true;
  return {};
}

Result<FileInfo> HdfsFileSystem::usable_file(const std::string& path) {
  FileInfo info = TRY(name_node_.get_file_info(path));
  if (info.status.is_directory) {
    return system_error(path, EISDIR);
  }
  TRY(check_supported(info));
  return info;
}

std::unique_ptr<dfs::OutputStream> HdfsFileSystem::keep(OutputFile file) {
  return open_files_.add(std::make_shared<HdfsOutputStream>(name_node_, std::move(file),
                                                            options_.streams, name_node_.closed()));
}

Result<std::unique_ptr<dfs::OutputStream>> HdfsFileSystem::create(
    const std::string& path, const dfs::CreateOptions& options) {
  TRY(check_cluster());
  NewFile file{path, options.permissions, options.replication, options.block_size};
  file.replication = file.replication == 0 ? options_.replication : file.replication;
  file.block_size = file.block_size == 0 ? options_.block_size : file.block_size;
  FileInfo info = TRY(name_node_.create(file));
  info.status.length = 0;
  const Result<> supported = check_supported(info);
  if (!supported.ok()) {  // The folder's policy shows in the new file alone.
    TRY(name_node_.remove(path, false));
    return supported.error();
  }
  return keep(output_file(info, options.durability));
}

Result<std::unique_ptr<dfs::OutputStream>> HdfsFileSystem::append(const std::string& path,
                                                                  dfs::Durability durability) {
  TRY(check_cluster());
  TRY(usable_file(path));
  AppendedFile appended = TRY(name_node_.append(path));
  OutputFile file = output_file(appended.info, durability);
  file.last = std::move(appended.last_block);
  return keep(std::move(file));
}

Result<std::unique_ptr<dfs::InputStream>> HdfsFileSystem::open(const std::string& path) {
  TRY(check_cluster());
  TRY(usable_file(path));
  const VisibleLength visible_length = [this](const DatanodeId& node, const Block& block,
                                              const BlockToken& /*token*/) {
    return ask_visible_length(node, block, target_.user, options_.rpc,
                              options_.streams.use_host_names);
  };
  return std::unique_ptr<dfs::InputStream>(TRY(HdfsInputStream::open(
      name_node_, path, visible_length, options_.streams, name_node_.closed())));
}

Result<> HdfsFileSystem::rename(const std::string& from, const std::string& to) {
  Result<> renamed = name_node_.rename(from, to);
  // That a file does not replace a folder, nor a folder a file, the NameNode says in words alone.
  if (!renamed.ok() && renamed.error().fault() == Fault::kTransient &&
      renamed.error().error_number() == 0 && name_node_.get_file_info(to).ok()) {
    return Error(Fault::kTransient, renamed.error().message(), EEXIST);
  }
  return renamed;
}

Result<> HdfsFileSystem::remove(const std::string& path, bool recursive) {
  return TRY(name_node_.remove(path, recursive)) ? Result<>() : system_error(path, ENOENT);
}

Result<> HdfsFileSystem::make_directories(const std::string& path, std::uint32_t permissions) {
  return name_node_.mkdirs(path, permissions);
}

Result<std::vector<dfs::FileStatus>> HdfsFileSystem::list(const std::string& path) {
  std::vector<dfs::FileStatus> found;
  for (FileInfo& info : TRY(name_node_.get_listing(path))) {
    found.push_back(std::move(info.status));
  }
  return found;
}

Result<dfs::FileStatus> HdfsFileSystem::status(const std::string& path) {
  return TRY(name_node_.get_file_info(path)).status;
}

Result<> HdfsFileSystem::set_permissions(const std::string& path, std::uint32_t permissions) {
  return name_node_.set_permission(path, permissions);
}

Result<bool> HdfsFileSystem::truncate(const std::string& path, std::uint64_t length) {
  const FileInfo info = TRY(usable_file(path));
  if (length > info.status.length) {
    return system_error("truncate " + path + " to more than it has", EINVAL);
  }
  return name_node_.truncate(path, length);
}

Result<bool> HdfsFileSystem::recover_lease(const std::string& path) {
  return name_node_.recover_lease(path);
}

Result<bool> HdfsFileSystem::is_closed(const std::string& path) {
  return name_node_.is_file_closed(path);
}

}  // namespace millrace::hdfs
