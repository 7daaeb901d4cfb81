#include "io/fake_file_system.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "io/fake_file.h"

namespace millrace {
namespace {

using Path = FakeFileSystem::Path;

bool lies_under(const Path& path, const Path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
         folder.end();
}

}  // namespace

// ---- What every operation passes ----

int& FakeFileSystem::hooks_under_way() {
  static thread_local int count = 0;
  return count;
}

Result<> FakeFileSystem::enter(Operation operation, const Path& path,
                               std::unique_lock<std::mutex>& lock) {
  lock = std::unique_lock(mutex_);
  const Call call{operation, path, calls_++};
  const bool had_power = powered_;
  if (hook_) {
    auto hook = hook_;
    lock.unlock();
    ++hooks_under_way();
    (*hook)(call);
    --hooks_under_way();
    lock.lock();
    hook.reset();
    hook_ended_.notify_all();
  }
  may_do_a_part_ = had_power;
  if (!powered_) {
    return system_error("the power is cut: " + path.string(), EIO);
  }
  for (Fault& fault : faults_) {
    if (fault.operation.value_or(operation) != operation || fault.times == 0 ||
        !lies_under(path, fault.under)) {
      continue;
    }
    if (fault.skip > 0) {
      --fault.skip;
      continue;
    }
    --fault.times;
    return system_error("told to fail on " + path.string(), fault.error_number);
  }
  return {};
}

Result<> FakeFileSystem::check_alive(std::uint64_t epoch, const Path& path) const {
  if (epoch != epoch_) {
    return system_error("open since before the crash: " + path.string(), EIO);
  }
  return {};
}

std::size_t FakeFileSystem::draw(std::size_t below) {
  return std::uniform_int_distribution<std::size_t>(0, below - 1)(random_);
}

WallTime FakeFileSystem::now() const {
  return clock_ != nullptr ? clock_->wall()
                           : WallTime(std::chrono::milliseconds(static_cast<std::int64_t>(calls_)));
}

// ---- Names ----

Result<std::unique_ptr<File>> FakeFileSystem::open(const Path& path, OpenMode mode) {
  std::unique_lock<std::mutex> lock;
  TRY(enter(Operation::kOpen, path, lock));
  NodePtr node = disk_.find(path);
  const bool must_exist = mode == OpenMode::kRead || mode == OpenMode::kReadWrite;
  if (must_exist && node == nullptr) {
    return system_error("cannot open " + path.string(), ENOENT);
  }
  if (mode == OpenMode::kCreate && (node != nullptr || disk_.folders().contains(path))) {
    return system_error("cannot open " + path.string(), EEXIST);
  }
  const auto& folders = disk_.folders();
  if (folders.contains(path) || !folders.contains(path.parent_path())) {
    return system_error("cannot open " + path.string(), folders.contains(path) ? EISDIR : ENOENT);
  }
  if (node == nullptr) {
    node = disk_.make(path);
    node->modified = now();
  } else if (mode == OpenMode::kTruncate) {
    resize(*node, 0);
  }
  return std::unique_ptr<File>(
      std::make_unique<FakeFile>(*this, node, path, epoch_, mode != OpenMode::kRead));
}

Result<> FakeFileSystem::rename(const Path& from, const Path& to) {
  return rename(from, to, true);
}

Result<> FakeFileSystem::rename_to_new(const Path& from, const Path& to) {
  return rename(from, to, false);
}

Result<> FakeFileSystem::rename(const Path& from, const Path& to, bool may_replace) {
  std::unique_lock<std::mutex> lock;
  TRY(enter(Operation::kRename, from, lock));
  if (disk_.find(from) == nullptr || !disk_.folders().contains(to.parent_path())) {
    return system_error("cannot rename " + from.string() + " to " + to.string(), ENOENT);
  }
  if (!may_replace && (disk_.find(to) != nullptr || disk_.folders().contains(to))) {
    return system_error("cannot rename " + from.string() + " to " + to.string(), EEXIST);
  }
  disk_.rename(from, to);
  return {};
}

Result<> FakeFileSystem::remove(const Path& path) {
  std::unique_lock<std::mutex> lock;
  TRY(enter(Operation::kRemove, path, lock));
  if (disk_.folders().contains(path)) {
    if (!names_in(path).empty()) {
      return system_error("cannot remove " + path.string(), ENOTEMPTY);
    }
    disk_.folders().erase(path);
    return {};
  }
  if (!disk_.remove(path)) {
    return system_error("cannot remove " + path.string(), ENOENT);
  }
  return {};
}

Result<> FakeFileSystem::set_permissions(const Path& path, std::uint32_t permissions) {
  std::unique_lock<std::mutex> lock;
  TRY(enter(Operation::kSetPermissions, path, lock));
  const NodePtr node = disk_.find(path);
  if (node == nullptr && !disk_.folders().contains(path)) {
    return system_error("cannot set the permissions of " + path.string(), ENOENT);
  }
  if (node != nullptr) {
    node->permissions = permissions;
  }
  return {};
}

Result<> FakeFileSystem::sync_directory(const Path& path) {
  std::unique_lock<std::mutex> lock;
  TRY(enter(Operation::kSyncDirectory, path, lock));
  if (!disk_.folders().contains(path)) {
    return system_error("cannot sync the folder " + path.string(), ENOENT);
  }
  disk_.sync_folder(path);
  return {};
}

void FakeFileSystem::add_folders(const Path& path) {
  for (Path folder = path; folder != folder.parent_path(); folder = folder.parent_path()) {
    disk_.folders().insert(folder);
  }
}

Result<> FakeFileSystem::create_directories(const Path& path) {
  std::unique_lock<std::mutex> lock;
  TRY(enter(Operation::kCreateDirectories, path, lock));
  if (disk_.find(path) != nullptr) {
    return system_error("cannot make the folder " + path.string(), ENOTDIR);
  }
  add_folders(path);
  return {};
}

Result<std::vector<std::string>> FakeFileSystem::list(const Path& path) {
  std::unique_lock<std::mutex> lock;
  TRY(enter(Operation::kList, path, lock));
  if (!disk_.folders().contains(path)) {
    return system_error("cannot list " + path.string(), ENOENT);
  }
  return names_in(path);
}

std::vector<std::string> FakeFileSystem::names_in(const Path& folder) const {
  std::vector<std::string> names;
  for (const auto& [name, node] : disk_.names()) {
    if (name.parent_path() == folder) {
      names.push_back(name.filename().string());
    }
  }
  for (const Path& child : disk_.folders()) {
    if (child != folder && child.parent_path() == folder) {
      names.push_back(child.filename().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

Result<FileStatus> FakeFileSystem::status(const Path& path) {
  std::unique_lock<std::mutex> lock;
  TRY(enter(Operation::kStatus, path, lock));
  if (disk_.folders().contains(path)) {
    FileStatus status;
    status.is_directory = true;
    status.id.inode = std::filesystem::hash_value(path);  // Unlike any file's.
    return status;
  }
  const NodePtr node = disk_.find(path);
  if (node == nullptr) {
    return system_error("cannot ask about " + path.string(), ENOENT);
  }
  return node->status();
}

bool FakeFileSystem::exists(const Path& path) {
  const std::lock_guard lock(mutex_);
  return disk_.folders().contains(path) || disk_.find(path) != nullptr;
}

Result<std::unique_ptr<FileLock>> FakeFileSystem::lock(const Path& path) {
  std::unique_lock<std::mutex> guard;
  TRY(enter(Operation::kLock, path, guard));
  const auto [held, fresh] = locks_.emplace(path, ::getpid());
  if (!fresh) {
    return bad_config(path.string() + " is locked by process " + std::to_string(held->second));
  }
  return std::unique_ptr<FileLock>(std::make_unique<FakeLock>(*this, path, epoch_));
}

std::optional<int> FakeFileSystem::lock_holder(const Path& path) {
  const std::lock_guard lock(mutex_);
  const auto found = locks_.find(path);
  return found == locks_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<int> FakeFileSystem::opened_by(const Path& path) {
  const std::optional<int> holder = lock_holder(path);
  return holder == ::getpid() ? std::nullopt : holder;
}

}  // namespace millrace
