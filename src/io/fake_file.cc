#include "io/fake_file.h"

#include <algorithm>
#include <cerrno>
#include <string>

namespace millrace {

Result<> FakeFileSystem::FakeFile::enter(Operation operation,
                                         std::unique_lock<std::mutex>& lock) const {
  TRY(files_.enter(operation, path_, lock));
  return files_.check_alive(epoch_, path_);
}

// The operation failed, but not for a lack of power since before.
bool FakeFileSystem::FakeFile::may_do_a_part(const std::unique_lock<std::mutex>& lock) const {
  return lock.owns_lock() && files_.may_do_a_part_ && epoch_ == files_.epoch_;
}

Result<> FakeFileSystem::FakeFile::write_at(std::span<const iovec> pieces, std::uint64_t offset) {
  std::string bytes;
  for (const iovec& piece : pieces) {
    bytes.append(static_cast<const char*>(piece.iov_base), piece.iov_len);
  }
  std::unique_lock<std::mutex> lock;
  Result<> allowed = enter(Operation::kWrite, lock);
  if (!allowed.ok()) {
    if (may_do_a_part(lock)) {
      files_.write(*node_, std::string_view(bytes).substr(0, files_.draw(bytes.size() + 1)),
                   offset);
    }
    return allowed;
  }
  if (!writable_) {
    return system_error("cannot write " + path_.string(), EBADF);
  }
  TRY(files_.make_room(*node_, offset + bytes.size(), path_));
  files_.write(*node_, bytes, offset);
  return {};
}

Result<std::size_t> FakeFileSystem::FakeFile::read_at(std::span<char> space,
                                                      std::uint64_t offset) const {
  std::unique_lock<std::mutex> lock;
  TRY(enter(Operation::kRead, lock));
  return node_->live.read(space, offset);
}

Result<> FakeFileSystem::FakeFile::sync_data() {
  std::unique_lock<std::mutex> lock;
  Result<> allowed = enter(Operation::kSync, lock);
  if (allowed.ok()) {
    FakeDisk::sync(*node_);
  } else if (may_do_a_part(lock) && files_.powered_) {
    FakeDisk::fail_sync(*node_, files_.random_);
  }
  return allowed;
}

Result<std::uint64_t> FakeFileSystem::FakeFile::size() const {
  std::unique_lock<std::mutex> lock;
  TRY(enter(Operation::kSize, lock));
  return std::uint64_t{node_->live.size()};
}

Result<FileStatus> FakeFileSystem::FakeFile::status() const {
  std::unique_lock<std::mutex> lock;
  TRY(enter(Operation::kStatus, lock));
  return node_->status();
}

Result<> FakeFileSystem::FakeFile::truncate(std::uint64_t size) {
  std::unique_lock<std::mutex> lock;
  TRY(enter(Operation::kTruncate, lock));
  TRY(files_.make_room(*node_, size, path_));
  files_.resize(*node_, size);
  return {};
}

Result<> FakeFileSystem::FakeFile::allocate(std::uint64_t size) {
  std::unique_lock<std::mutex> lock;
  TRY(enter(Operation::kAllocate, lock));
  TRY(files_.make_room(*node_, size, path_));
  if (size > node_->live.size()) {
    files_.resize(*node_, size);
  }
  return {};
}

FakeFileSystem::FakeLock::~FakeLock() {
  const std::lock_guard lock(files_.mutex_);
  if (epoch_ == files_.epoch_) {
    files_.locks_.erase(path_);
  }
}

}  // namespace millrace
