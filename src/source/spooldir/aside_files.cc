#include "source/spooldir/aside_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/checksum.h"

namespace millrace {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = ".millrace-aside-";

}  // namespace

// The path that it holds tells it from one of another file by the same checksum.
TrackerFile AsideFiles::tracker_of(const fs::path& name) const {
  return {files_, trackers_ / fmt::format("{}{:08x}.meta", kPrefix, crc32c(name.string()))};
}

void AsideFiles::begin_anew() {
  names_.clear();
  kept_.clear();
  drop_gone();
  const Result<std::vector<std::string>> trackers = files_.list(trackers_);
  if (!trackers.ok()) {
    return;
  }
  for (const std::string& name : trackers.value()) {
    if (!name.starts_with(kPrefix)) {
      continue;
    }
    TrackerFile tracker(files_, trackers_ / name);
    const auto kept = tracker.load();
    if (kept.ok() && kept.value() && files_.exists(kept.value()->path)) {
      kept_[kept.value()->path] = *kept.value();
    } else {
      (void)tracker.forget();  // It costs nothing but its name.
    }
  }
}

void AsideFiles::add(const fs::path& name, const std::string& why, const SpooledIdentity& identity,
                     std::uint64_t offset) {
  add(name, why);
  if (offset == 0) {
    return;
  }
  // Where it cannot be kept the file comes again from its begin.
  const std::string path = (folder_ / name).string();
  if (tracker_of(name).store(path, identity, offset).ok()) {
    kept_[path] = {path, offset, identity, ""};
  }
}

void AsideFiles::add(const fs::path& name, const std::string& why) {
  names_.push_back(name);
  const std::lock_guard lock(mutex_);
  why_ = why;
}

std::uint64_t AsideFiles::offset_of(const fs::path& name, const SpooledIdentity& identity) const {
  const auto found = kept_.find((folder_ / name).string());
  return found != kept_.end() && found->second.identity == identity ? found->second.offset : 0;
}

void AsideFiles::forget(const fs::path& name) {
  if (kept_.erase((folder_ / name).string()) > 0) {
    (void)tracker_of(name).forget();
  }
}

void AsideFiles::drop_gone() {
  std::erase_if(names_, [this](const fs::path& name) {
    const bool is_gone = !files_.exists(folder_ / name);
    if (is_gone) {
      forget(name);
    }
    return is_gone;
  });
  if (names_.empty()) {
    const std::lock_guard lock(mutex_);
    why_.clear();
  }
}

Result<> AsideFiles::health() const {
  const std::lock_guard lock(mutex_);
  return why_.empty() ? Result<>() : transient("a file is set aside: " + why_);
}

}  // namespace millrace
