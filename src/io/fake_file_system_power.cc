// The fake file system's bytes, faults and power losses; its names and calls are in
// fake_file_system.cc.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "io/fake_file_system.h"

namespace millrace {

// ---- Space and bytes ----

std::uint64_t FakeFileSystem::used() const {
  std::uint64_t bytes = 0;
  for (const auto& [name, node] : live_names_) {
    bytes += node->live.size();
  }
  return bytes;
}

Result<std::uint64_t> FakeFileSystem::free_space(const Path& path) {
  std::unique_lock<std::mutex> lock;
  TRY(enter(Operation::kFreeSpace, path, lock));
  const std::uint64_t taken = used();
  return room_ > taken ? room_ - taken : 0;
}

Result<> FakeFileSystem::make_room(const Node& node, std::uint64_t size, const Path& path) const {
  if (size > node.live.size() && room_ != UINT64_MAX && used() + size - node.live.size() > room_) {
    return system_error("cannot write " + path.string(), ENOSPC);
  }
  return {};
}

void FakeFileSystem::write(Node& node, std::string_view bytes, std::uint64_t offset) {
  if (bytes.empty()) {
    return;
  }
  if (offset + bytes.size() > node.live.size()) {
    node.live.resize(offset + bytes.size());
  }
  std::copy(bytes.begin(), bytes.end(), node.live.begin() + static_cast<std::ptrdiff_t>(offset));
  for (std::uint64_t page = offset / kPage; page * kPage < offset + bytes.size(); ++page) {
    node.dirty.insert(page);
  }
  node.modified = now();
}

void FakeFileSystem::resize(Node& node, std::uint64_t size) {
  const std::uint64_t from = std::min<std::uint64_t>(size, node.live.size());
  node.live.resize(size);
  for (std::uint64_t page = from / kPage; page * kPage < size; ++page) {
    node.dirty.insert(page);
  }
  node.modified = now();
}

void FakeFileSystem::sync(Node& node) {
  node.durable.resize(node.live.size());
  for (const std::size_t page : node.dirty) {
    const std::size_t at = page * kPage;
    if (at < node.live.size()) {
      const std::size_t count = std::min(kPage, node.live.size() - at);
      std::memcpy(node.durable.data() + at, node.live.data() + at, count);
    }
  }
  node.dirty.clear();
}

void FakeFileSystem::lose_some_pages(Node& node) {
  node.durable.resize(node.live.size());
  std::erase_if(node.dirty, [&](std::size_t) { return draw(2) == 0; });
  sync(node);
}

// ---- Power and faults ----

void FakeFileSystem::forget_unsynced(Node& node) {
  if (unsynced_may_survive_ && !(node.dirty.empty() && node.live.size() == node.durable.size())) {
    const std::size_t low = std::min(node.durable.size(), node.live.size());
    const std::size_t high = std::max(node.durable.size(), node.live.size());
    std::size_t size = draw(2) == 0 ? node.durable.size() : node.live.size();
    if (draw(3) == 0) {
      size = low + draw(high - low + 1);
    }
    node.durable.resize(size);
    for (const std::size_t page : node.dirty) {
      const std::size_t fate = draw(3);  // Lost, whole, or some of its sectors.
      for (std::size_t at = page * kPage; at < (page + 1) * kPage && fate > 0; at += kSector) {
        if (at < std::min(size, node.live.size()) && (fate == 1 || draw(2) == 0)) {
          const std::size_t count = std::min({kSector, size - at, node.live.size() - at});
          std::memcpy(node.durable.data() + at, node.live.data() + at, count);
        }
      }
    }
  }
  node.dirty.clear();
  node.live = node.durable;
}

void FakeFileSystem::cut_power() {
  const std::lock_guard lock(mutex_);
  powered_ = false;
}

void FakeFileSystem::restore_power() {
  const std::lock_guard lock(mutex_);
  const std::size_t kept = unsynced_may_survive_ ? draw(pending_.size() + 1) : 0;
  for (std::size_t i = 0; i < kept; ++i) {
    apply(pending_[i]);
  }
  pending_.clear();
  live_names_ = durable_names_;
  std::set<Node*> seen;  // A rename that half survived gives a file two names.
  for (const auto& [name, node] : live_names_) {
    if (seen.insert(node.get()).second) {
      forget_unsynced(*node);
    }
  }
  locks_.clear();
  ++epoch_;
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

void FakeFileSystem::fail(Operation operation, int error_number, std::uint64_t skip,
                          std::uint64_t times) {
  const std::lock_guard lock(mutex_);
  faults_.push_back({operation, error_number, skip, times});
}

void FakeFileSystem::heal() {
  const std::lock_guard lock(mutex_);
  faults_.clear();
  failing_folders_.clear();
}

void FakeFileSystem::fail_under(const Path& folder, int error_number) {
  const std::lock_guard lock(mutex_);
  failing_folders_[folder] = error_number;
}

void FakeFileSystem::set_room(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  room_ = bytes;
}

void FakeFileSystem::on_operation(std::function<void(const Call&)> hook) {
  const std::lock_guard lock(mutex_);
  hook_ = std::move(hook);
}

std::uint64_t FakeFileSystem::operations() const {
  const std::lock_guard lock(mutex_);
  return calls_;
}

// ---- For tests ----

std::string FakeFileSystem::text(const Path& path) const {
  const std::lock_guard lock(mutex_);
  const auto found = live_names_.find(path);
  return found != live_names_.end() ? found->second->live : std::string();
}

std::vector<std::string> FakeFileSystem::contents(const Path& folder) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> texts;
  for (const auto& [name, node] : live_names_) {
    if (name.parent_path() == folder) {
      texts.push_back(node->live);
    }
  }
  return texts;
}

void FakeFileSystem::put(const Path& path, std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  add_folders(path.parent_path());
  auto node = std::make_shared<Node>();
  node->live = bytes;
  node->durable = bytes;
  node->modified = now();
  std::erase_if(pending_, [&](const NameChange& c) { return c.from == path || c.to == path; });
  live_names_[path] = node;
  durable_names_[path] = node;
}

void FakeFileSystem::hold_lock(const Path& path, int pid) {
  const std::lock_guard lock(mutex_);
  locks_[path] = pid;
}

}  // namespace millrace
