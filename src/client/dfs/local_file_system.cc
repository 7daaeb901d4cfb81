#include "client/dfs/local_file_system.h"

#include <cerrno>
#include <filesystem>
#include <utility>

#include "io/file_writer.h"

namespace millrace::dfs {
namespace {

using Path = std::filesystem::path;

FileStatus status_of(const std::string& path, const millrace::FileStatus& found) {
  FileStatus status;
  status.path = path;
  status.length = found.size;
  status.is_directory = found.is_directory;
  status.modified = found.modified;
  status.permissions = found.permissions;
  status.replication = found.is_directory ? 0 : 1;
  return status;
}

class LocalOutput final : public OutputStream {
 public:
  // `folder`: to be synced before the first hsync is done; empty where the name is durable.
  LocalOutput(millrace::FileSystem& files, std::unique_ptr<File> file, std::uint64_t length,
              Path folder)
      : files_(files), writer_(std::move(file), length), folder_(std::move(folder)) {}

  Result<> write(std::span<const iovec> pieces) override {
    TRY(check_open());
    for (const iovec& piece : pieces) {
      TRY(writer_.append({static_cast<const char*>(piece.iov_base), piece.iov_len}));
    }
    return {};
  }
  Result<> start_flush(Durability durability) override {
    TRY(check_open());
    sync_ = sync_ || durability == Durability::kHsync;
    return writer_.flush();
  }
  Result<> finish_flush() override {
    TRY(check_open());
    if (!std::exchange(sync_, false)) {
      return {};
    }
    TRY(writer_.sync());
    if (!folder_.empty()) {
      TRY(files_.sync_directory(folder_));
      folder_.clear();
    }
    return {};
  }
  Result<> close() override {
    if (!closed_) {
      TRY(writer_.flush());
      closed_ = true;
    }
    return {};
  }
  void abandon() override { closed_ = true; }
  std::uint64_t length() const override { return writer_.position(); }
  std::uint32_t live_replicas() const override { return 1; }

 private:
  Result<> check_open() const {
    return closed_ ? Result<>(millrace::closed("the file is closed")) : Result<>();
  }

  millrace::FileSystem& files_;
  FileWriter writer_;
  Path folder_;
  bool sync_ = false;
  bool closed_ = false;
};

class LocalInput final : public InputStream {
 public:
  LocalInput(std::unique_ptr<File> file, std::uint64_t length)
      : file_(std::move(file)), length_(length) {}

  Result<std::size_t> read_at(std::span<char> space, std::uint64_t offset) override {
    return file_->read_at(space, offset);
  }
  std::uint64_t length() const override { return length_; }

 private:
  const std::unique_ptr<File> file_;
  const std::uint64_t length_;
};

}  // namespace

Result<> LocalFileSystem::check_open() const {
  return closed_ ? Result<>(millrace::closed("the file system was closed")) : Result<>();
}

Result<std::unique_ptr<OutputStream>> LocalFileSystem::create(const std::string& path,
                                                              const CreateOptions& options) {
  TRY(check_open());
  const Path folder = Path(path).parent_path();
  TRY(files_.create_directories(folder));
  std::unique_ptr<File> file = TRY(files_.open(path, OpenMode::kCreate));
  TRY(files_.set_permissions(path, options.permissions));
  return std::unique_ptr<OutputStream>(
      std::make_unique<LocalOutput>(files_, std::move(file), 0, folder));
}

Result<std::unique_ptr<OutputStream>> LocalFileSystem::append(const std::string& path,
                                                              Durability /*durability*/) {
  TRY(check_open());
  std::unique_ptr<File> file = TRY(files_.open(path, OpenMode::kReadWrite));
  const std::uint64_t length = TRY(file->size());
  return std::unique_ptr<OutputStream>(
      std::make_unique<LocalOutput>(files_, std::move(file), length, Path()));
}

Result<std::unique_ptr<InputStream>> LocalFileSystem::open(const std::string& path) {
  if (TRY(status(path)).is_directory) {
    return system_error(path, EISDIR);
  }
  std::unique_ptr<File> file = TRY(files_.open(path, OpenMode::kRead));
  const std::uint64_t length = TRY(file->size());
  return std::unique_ptr<InputStream>(std::make_unique<LocalInput>(std::move(file), length));
}

Result<> LocalFileSystem::rename(const std::string& from, const std::string& to) {
  TRY(check_open());
  TRY(files_.rename_to_new(from, to));
  TRY(files_.sync_directory(Path(to).parent_path()));
  if (Path(from).parent_path() != Path(to).parent_path()) {
    TRY(files_.sync_directory(Path(from).parent_path()));
  }
  return {};
}

Result<> LocalFileSystem::remove(const std::string& path, bool recursive) {
  TRY(check_open());
  if (recursive && TRY(files_.status(path)).is_directory) {
    for (const std::string& name : TRY(files_.list(path))) {
      TRY(remove((Path(path) / name).string(), true));
    }
  }
  TRY(files_.remove(path));
  return files_.sync_directory(Path(path).parent_path());
}

Result<> LocalFileSystem::make_directories(const std::string& path, std::uint32_t permissions) {
  TRY(check_open());
  if (files_.exists(path)) {
    return TRY(files_.status(path)).is_directory ? Result<>() : system_error(path, EEXIST);
  }
  TRY(files_.create_directories(path));
  return files_.set_permissions(path, permissions);
}

Result<std::vector<FileStatus>> LocalFileSystem::list(const std::string& path) {
  std::vector<FileStatus> found;
  FileStatus self = TRY(status(path));
  if (!self.is_directory) {
    found.push_back(std::move(self));
    return found;
  }
  for (const std::string& name : TRY(files_.list(path))) {
    const std::string child = (Path(path) / name).string();
    const auto child_status = files_.status(child);
    if (child_status.ok()) {  // Else it went away meanwhile.
      found.push_back(status_of(child, child_status.value()));
    }
  }
  return found;
}

Result<FileStatus> LocalFileSystem::status(const std::string& path) {
  TRY(check_open());
  return status_of(path, TRY(files_.status(path)));
}

Result<> LocalFileSystem::set_permissions(const std::string& path, std::uint32_t permissions) {
  TRY(check_open());
  return files_.set_permissions(path, permissions);
}

Result<bool> LocalFileSystem::truncate(const std::string& path, std::uint64_t length) {
  TRY(check_open());
  const std::unique_ptr<File> file = TRY(files_.open(path, OpenMode::kReadWrite));
  if (length > TRY(file->size())) {
    return system_error("truncate " + path + " to more than it has", EINVAL);
  }
  TRY(file->truncate(length));
  TRY(file->sync_data());
  return true;
}

Result<bool> LocalFileSystem::recover_lease(const std::string& path) {
  return is_closed(path);
}

Result<bool> LocalFileSystem::is_closed(const std::string& path) {
  return TRY(status(path)).is_directory ? Result<bool>(system_error(path, EISDIR)) : true;
}

}  // namespace millrace::dfs
