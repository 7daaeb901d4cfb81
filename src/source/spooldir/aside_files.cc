#include "source/spooldir/aside_files.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

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
  {
    const std::lock_guard lock(mutex_);
    names_.clear();
  }
  kept_.clear();
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

bool AsideFiles::passes_over(const fs::path& name, SteadyTime now) const {
  const auto found = names_.find(name);
  return found != names_.end() && now < found->second.until;
}

bool AsideFiles::add(const fs::path& name, const std::string& why, SteadyTime until) {
  const std::lock_guard lock(mutex_);
  Aside& aside = names_[name];
  aside.until = until;
  return std::exchange(aside.why, why) != why;
}

void AsideFiles::keep(const fs::path& name, const SpooledIdentity& identity, std::uint64_t offset) {
  if (offset == 0) {
    return;
  }
  // Where it cannot be kept the file comes again from its begin.
  const std::string path = (folder_ / name).string();
  if (tracker_of(name).store(path, identity, offset).ok()) {
    kept_[path] = {path, offset, identity, ""};
  }
}

std::uint64_t AsideFiles::offset_of(const fs::path& name, const SpooledIdentity& identity) const {
  const auto found = kept_.find((folder_ / name).string());
  return found != kept_.end() && found->second.identity == identity ? found->second.offset : 0;
}

void AsideFiles::take_back(const fs::path& name) {
  const std::lock_guard lock(mutex_);
  names_.erase(name);
}

void AsideFiles::forget(const fs::path& name) {
  take_back(name);
  if (kept_.erase((folder_ / name).string()) > 0) {
    (void)tracker_of(name).forget();
  }
}

void AsideFiles::drop_gone() {
  std::vector<fs::path> gone;
  for (const auto& [name, aside] : names_) {
    if (!files_.exists(folder_ / name)) {
      gone.push_back(name);
    }
  }
  for (const fs::path& name : gone) {
    forget(name);
  }
}

Result<> AsideFiles::health() const {
  const std::lock_guard lock(mutex_);
  if (names_.empty()) {
    return {};
  }
  const std::string& why = names_.begin()->second.why;
  return transient(names_.size() == 1
                       ? "a file is set aside: " + why
                       : fmt::format("{} files are set aside, as {}", names_.size(), why));
}

}  // namespace millrace
