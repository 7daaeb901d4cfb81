// The fake file system's space, faults and power losses; its names and calls are in
// fake_file_system.cc.
#include <cerrno>
#include <memory>
#include <utility>

#include "io/fake_file_system.h"

namespace millrace {

// ---- Space and bytes ----

Result<std::uint64_t> FakeFileSystem::free_space(const Path& path) {
  std::unique_lock<std::mutex> lock;
  TRY(enter(Operation::kFreeSpace, path, lock));
  const std::uint64_t taken = disk_.used();
  return room_ > taken ? room_ - taken : 0;
}

Result<> FakeFileSystem::make_room(const Node& node, std::uint64_t size, const Path& path) const {
  if (room_ != UINT64_MAX && size > node.live.size() &&
      disk_.used() + size - node.live.size() > room_) {
    return system_error("cannot write " + path.string(), ENOSPC);
  }
  return {};
}

void FakeFileSystem::write(Node& node, std::string_view bytes, std::uint64_t offset) {
  disk_.write(node, bytes, offset);
  node.modified = now();
}

void FakeFileSystem::resize(Node& node, std::uint64_t size) {
  disk_.resize(node, size);
  node.modified = now();
}

// ---- Power ----

void FakeFileSystem::cut_power() {
  const std::lock_guard lock(mutex_);
  powered_ = false;
}

void FakeFileSystem::restore_power() {
  std::vector<unsigned> kept;
  {
    const std::lock_guard lock(mutex_);
    if (unsynced_may_survive_) {
      kept = draw_survivors(disk_.unsynced(), random_);
    }
  }
  restore_power(kept);
}

void FakeFileSystem::restore_power(std::span<const unsigned> kept) {
  const std::lock_guard lock(mutex_);
  disk_.lose_power(kept);
  end_all_handles();
  powered_ = true;
}

void FakeFileSystem::crash() {
  cut_power();
  restore_power();
}

void FakeFileSystem::let_unsynced_survive(bool some) {
  const std::lock_guard lock(mutex_);
  unsynced_may_survive_ = some;
}

std::vector<FakeDisk::Unsynced> FakeFileSystem::unsynced() const {
  const std::lock_guard lock(mutex_);
  return disk_.unsynced();
}

void FakeFileSystem::end_process() {
  const std::lock_guard lock(mutex_);
  end_all_handles();
  powered_ = true;
}

void FakeFileSystem::end_all_handles() {
  locks_.clear();
  ++epoch_;
}

std::unique_ptr<FakeFileSystem> FakeFileSystem::fork(std::uint64_t seed) const {
  const std::lock_guard lock(mutex_);
  return std::unique_ptr<FakeFileSystem>(new FakeFileSystem(seed, clock_, disk_, room_));
}

// ---- Faults ----

void FakeFileSystem::fail(Operation operation, int error_number, std::uint64_t skip,
                          std::uint64_t times, const Path& under) {
  const std::lock_guard lock(mutex_);
  faults_.push_back({operation, error_number, skip, times, under});
}

void FakeFileSystem::heal() {
  const std::lock_guard lock(mutex_);
  faults_.clear();
}

void FakeFileSystem::fail_under(const Path& folder, int error_number) {
  const std::lock_guard lock(mutex_);
  faults_.push_back({std::nullopt, error_number, 0, UINT64_MAX, folder});
}

void FakeFileSystem::set_room(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  room_ = bytes;
}

void FakeFileSystem::on_operation(std::function<void(const Call&)> hook) {
  std::unique_lock lock(mutex_);
  const auto before = std::exchange(
      hook_,
      hook ? std::make_shared<const std::function<void(const Call&)>>(std::move(hook)) : nullptr);
  if (hooks_under_way() == 0) {
    hook_ended_.wait(lock, [&] { return before.use_count() <= 1; });
  }
}

std::uint64_t FakeFileSystem::operations() const {
  const std::lock_guard lock(mutex_);
  return calls_;
}

// ---- For tests ----

std::string FakeFileSystem::text(const Path& path) const {
  const std::lock_guard lock(mutex_);
  const NodePtr node = disk_.find(path);
  return node != nullptr ? node->live.text() : std::string();
}

std::vector<std::string> FakeFileSystem::contents(const Path& folder) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> texts;
  for (const auto& [name, node] : disk_.names()) {
    if (name.parent_path() == folder) {
      texts.push_back(node->live.text());
    }
  }
  return texts;
}

void FakeFileSystem::put(const Path& path, std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  add_folders(path.parent_path());
  disk_.put_durable(path, bytes, now());
}

void FakeFileSystem::hold_lock(const Path& path, int pid) {
  const std::lock_guard lock(mutex_);
  locks_[path] = pid;
}

}  // namespace millrace
