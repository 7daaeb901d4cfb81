// TailedFiles: what the folders hold under names that are tailed.
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "source/taildir/tailed_files.h"

namespace millrace {
namespace {

// Listing a large folder again and again may take this part of the time.
constexpr int kListingShare = 10;

}  // namespace

// Known files keep their place, renamed ones take theirs along, and new ones are added. A folder
// that cannot be listed is as it was: it may come back.
void TailedFiles::list(Folder& folder, SteadyTime now) {
  watch(folder);  // First, so that nothing happens between the listing and the watch.
  folder.is_out_of_date = false;
  const auto before = std::chrono::steady_clock::now();
  Result<FileStatus> status = file_system_.status(folder.path);
  const Result<std::vector<Found>> found = find(folder);
  if (!status.ok() || !found.ok()) {
    note_trouble(folder, (found.ok() ? status.error() : found.error()).message());
    folder.look_at = now + options_.look_every;
    return;
  }
  note_trouble(folder, pattern_trouble(folder));
  folder.modified = status->modified;
  std::unordered_map<std::string, TailedFilePtr> names;
  for (const Found& each : *found) {
    names.emplace(each.name, adopt(folder, each));
  }
  names.swap(folder.names);
  for (const auto& [name, file] : names) {
    if (!folder.names.contains(name) || folder.names[name] != file) {
      folder.gone.emplace_back(name, file);
    }
  }
  folder.was_listed = true;
  if (folder.has_loose_links) {
    folder.look_at = std::min(folder.look_at, now + options_.look_every);
  }
  folder.list_at = now + (std::chrono::steady_clock::now() - before) * kListingShare;
}

void TailedFiles::note_trouble(Folder& folder, std::string trouble) {
  if (trouble != folder.trouble && !trouble.empty()) {
    log_warning(component_, "{}; it is tried again every {} ms", trouble,
                options_.look_every.count());
  }
  folder.trouble = std::move(trouble);
}

std::string TailedFiles::pattern_trouble(const Folder& folder) {
  for (const std::size_t i : folder.groups) {
    if (const std::string name = std::exchange(groups_[i].gave_up_on, {}); !name.empty()) {
      return fmt::format("the search for the expression of group {} gave up on the name {}",
                         groups_[i].name, (folder.path / name).string());
    }
  }
  return {};
}

Result<std::vector<TailedFiles::Found>> TailedFiles::find(Folder& folder) {
  std::vector<Found> all;
  folder.has_loose_links = false;
  for (std::string& name : TRY(file_system_.list(folder.path))) {
    const std::optional<std::size_t> group = group_of(folder, name);
    if (!group) {
      continue;
    }
    Result<FileStatus> status = file_system_.status(folder.path / name);
    if (status.ok() && status->is_regular) {
      all.push_back({std::move(name), *group, *status});
    }
    folder.has_loose_links = folder.has_loose_links || !status.ok();
  }
  return all;
}

std::optional<std::size_t> TailedFiles::group_of(const Folder& folder, std::string_view name) {
  const auto group = std::find_if(folder.groups.begin(), folder.groups.end(),
                                  [&](std::size_t i) { return groups_[i].takes(name); });
  return group == folder.groups.end() ? std::nullopt : std::optional(*group);
}

// A file that has two names keeps the one by which it was found first.
TailedFilePtr TailedFiles::adopt(const Folder& folder, const Found& found) {
  const std::string path = (folder.path / found.name).string();
  TailedFilePtr& file = files_[found.status.id];
  if (file == nullptr) {
    file = take_missed(found.status);
  }
  if (file == nullptr) {
    file =
        std::make_shared<TailedFile>(found.status.id, found.group, entry_for(folder, path, found));
    log_info(component_, "tails {} from byte {} on", path, file->position());
    has_new_ = true;
    watch_behind_link(folder.path / found.name, file);
  } else if (file->path() != path && !leads_to(file->path(), file->id())) {
    log_info(component_, "{} is {} now", file->path(), path);
    file->rename(path, found.group);
    queue(file);
  }
  file->set_gone(false);
  places_.erase(found.status.id);
  if (file->note(found.status)) {
    queue(file);
  }
  return file;
}

bool TailedFiles::leads_to(const Path& path, const FileId& id) const {
  Result<FileStatus> status = file_system_.status(path);
  return status.ok() && status->id == id;
}

// What an earlier run has kept of it, or nothing yet. The number of its inode may be that of
// another file by now: under another name it takes the same head to go on.
TailEntry TailedFiles::entry_for(const Folder& folder, const std::string& path,
                                 const Found& found) {
  const auto has_inode = [&](const TailEntry& entry) {
    return entry.inode == found.status.id.inode;
  };
  auto entry = std::find_if(known_.begin(), known_.end(), [&](const TailEntry& each) {
    return has_inode(each) && each.path == path;
  });
  if (entry == known_.end()) {
    entry = std::find_if(known_.begin(), known_.end(), [&](const TailEntry& each) {
      return has_inode(each) && each.head.size > 0;
    });
  }
  if (entry == known_.end()) {
    const bool skip = options_.skip_to_end && known_is_whole_ && !folder.was_listed;
    return {found.status.id.inode, skip ? found.status.size : 0, path, {}};
  }
  TailEntry taken = std::move(*entry);
  known_.erase(entry);
  taken.path = path;
  return taken;
}

// Writes to what a link leads to are told to the folder that has it, not to the one with the link.
void TailedFiles::watch_behind_link(const Path& path, const TailedFilePtr& file) {
  std::error_code error;
  if (!watch_ || !std::filesystem::is_symlink(path, error)) {
    return;
  }
  if (const Result<int> watch = watch_->watch_file(path); watch.ok()) {
    file->watch = *watch;
    linked_[*watch] = file;
  }
}

}  // namespace millrace
