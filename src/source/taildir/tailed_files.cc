#include "source/taildir/tailed_files.h"

#include <algorithm>
#include <cerrno>
#include <tuple>
#include <utility>

#include "base/log.h"

namespace millrace {
namespace {

using std::chrono::milliseconds;

// Where the kernel tells of changes; writes through a mapping it does not tell.
constexpr milliseconds kLookWhereTold{30'000};
// Listing a large folder again and again may take this part of the time.
constexpr int kListingShare = 10;

// The name leads to another file, or to none.
bool is_elsewhere(const Result<>& opened) {
  return !opened.ok() &&
         (opened.error().fault() == Fault::kClosed || opened.error().error_number() == ENOENT);
}

}  // namespace

TailedFiles::TailedFiles(FileSystem& files, std::vector<FileGroup>& groups, Options options,
                         LoadedEntries known, std::string component)
    : file_system_(files),
      groups_(groups),
      options_(options),
      component_(std::move(component)),
      known_(std::move(known.entries)),
      known_is_whole_(!known.is_damaged) {
  if (Result<FileWatch> watch = FileWatch::open(); watch.ok()) {
    watch_.emplace(std::move(watch).value());
  } else {
    log_warning(component_, "{}; files are looked at every {} ms", watch.error().message(),
                options_.look_every.count());
  }
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    const auto same = std::find_if(folders_.begin(), folders_.end(), [&](const Folder& folder) {
      return folder.path == groups_[i].folder;
    });
    Folder& folder = same != folders_.end() ? *same : folders_.emplace_back();
    folder.path = groups_[i].folder;
    folder.groups.push_back(i);
  }
}

// ---- Noticing ----

void TailedFiles::take_changes(SteadyTime now) {
  if (watch_) {
    watch_->read([this](const FileWatch::Change& change) { take(change); });
  }
  for (Folder& folder : folders_) {
    if (folder.look_at <= now) {
      look(folder, now);
    }
    if (folder.is_out_of_date && folder.list_at <= now) {
      list(folder, now);
    }
  }
  // When all are listed: a file may have gone from one to the other.
  for (Folder& folder : folders_) {
    follow(folder);
    if (folder.was_listed && !std::exchange(folder.was_recalled, true)) {
      recall(folder);
    }
  }
}

void TailedFiles::take(const FileWatch::Change& change) {
  using Kind = FileWatch::Change::Kind;
  if (const auto linked = linked_.find(change.watch); linked != linked_.end()) {
    queue(linked->second);
    if (change.kind == Kind::kEnded) {
      linked->second->watch = -1;
      linked_.erase(linked);
    }
    return;
  }
  for (Folder& folder : folders_) {
    if (folder.watch != change.watch && change.kind != Kind::kLost) {
      continue;
    }
    if (change.kind == Kind::kContent) {
      if (const auto named = folder.names.find(std::string(change.name));
          named != folder.names.end()) {
        queue(named->second);
      }
      return;
    }
    folder.is_out_of_date = true;
    if (change.kind == Kind::kEnded) {
      folder.watch = -1;
      folder.is_watched = false;
    }
    if (change.kind != Kind::kNames) {
      folder.look_at = {};
    }
  }
}

SteadyTime TailedFiles::next_look() const {
  SteadyTime next = SteadyTime::max();
  for (const Folder& folder : folders_) {
    next = std::min({next, folder.look_at, folder.is_out_of_date ? folder.list_at : next});
  }
  return next;
}

// At each file, as no one else may tell.
void TailedFiles::look(Folder& folder, SteadyTime now) {
  Result<FileStatus> status = file_system_.status(folder.path);
  if (folder.watch >= 0 && status.ok() && status->id != folder.watched) {
    watch_->end(std::exchange(folder.watch, -1));  // A link was turned, a folder above renamed.
    folder.is_watched = false;
  }
  watch(folder);
  const bool is_all_told = folder.is_watched && !folder.has_loose_links;
  folder.look_at =
      now + (is_all_told ? std::max(kLookWhereTold, options_.look_every) : options_.look_every);
  folder.is_out_of_date = folder.is_out_of_date || folder.has_loose_links ||
                          !options_.cache_names || !status.ok() ||
                          status->modified != folder.modified;
  if (folder.is_out_of_date) {
    return;  // Listing it looks at each file too.
  }
  for (const auto& [name, file] : folder.names) {
    Result<FileStatus> found = file_system_.status(folder.path / name);
    if (!found.ok() || found->id != file->id()) {
      folder.is_out_of_date = true;
    } else if (file->note(*found)) {
      queue(file);
    }
  }
}

void TailedFiles::watch(Folder& folder) {
  if (folder.watch >= 0 || !watch_) {
    return;
  }
  if (const Result<int> watch = watch_->watch_folder(folder.path); watch.ok()) {
    folder.watch = *watch;
    folder.is_watched = !FileWatch::is_shared(folder.path);
    if (Result<FileStatus> status = file_system_.status(folder.path); status.ok()) {
      folder.watched = status->id;
    }
  } else if (file_system_.exists(folder.path) && !std::exchange(folder.is_watch_told, true)) {
    log_warning(component_, "{}; its files are looked at every {} ms", watch.error().message(),
                options_.look_every.count());
  }
}

// ---- Names ----

// Known files keep their place, renamed ones take theirs along, and new ones are added. A folder
// that cannot be listed is as it was: it may come back.
void TailedFiles::list(Folder& folder, SteadyTime now) {
  watch(folder);  // First, so that nothing happens between the listing and the watch.
  folder.is_out_of_date = false;
  const auto before = std::chrono::steady_clock::now();
  Result<FileStatus> status = file_system_.status(folder.path);
  const Result<std::vector<Found>> found = find(folder);
  if (!status.ok() || !found.ok()) {
    const std::string& why = (found.ok() ? status.error() : found.error()).message();
    if (folder.trouble.empty()) {
      log_warning(component_, "{}; it is looked for every {} ms", why, options_.look_every.count());
    }
    folder.trouble = why;
    folder.look_at = now + options_.look_every;
    return;
  }
  folder.trouble.clear();
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

// ---- Files without a name that is tailed ----

// Renamed away, or removed. An open one is read on; another one is, when the folder still has it.
void TailedFiles::follow(Folder& folder) {
  std::vector<TailedFilePtr> gone;
  for (const auto& [name, file] : std::exchange(folder.gone, {})) {
    if (file->path() == (folder.path / name).string()) {  // It has no other one by now.
      gone.push_back(file);
    }
  }
  const bool must_search = std::any_of(gone.begin(), gone.end(),
                                       [](const TailedFilePtr& file) { return !file->is_open(); });
  const Names others = must_search ? other_names(folder) : Names();
  for (const TailedFilePtr& file : gone) {
    file->set_gone(true);
    if (file->is_open()) {
      queue(file);
      continue;
    }
    const auto other = others.find(file->id());
    if (other == others.end()) {
      forget(file);
      continue;
    }
    places_[file->id()] = folder.path / other->second;
    queue(file);
  }
}

// Files that were renamed away while nobody looked are read to their end, where they were known
// well enough to know them again.
void TailedFiles::recall(Folder& folder) {
  std::vector<TailEntry> here;
  for (auto entry = known_.begin(); entry != known_.end();) {
    const bool is_here = Path(entry->path).parent_path() == folder.path;
    if (is_here && entry->head.size > 0) {
      here.push_back(*entry);
    }
    entry = is_here ? known_.erase(entry) : std::next(entry);
  }
  if (here.empty()) {
    return;
  }
  const auto others = other_names(folder);
  for (TailEntry& entry : here) {
    const auto other = std::find_if(others.begin(), others.end(), [&](const auto& each) {
      return each.first.inode == entry.inode;
    });
    const auto group = group_of(folder, Path(entry.path).filename().string());
    if (other == others.end() || !group || files_.contains(other->first)) {
      continue;
    }
    const auto file = std::make_shared<TailedFile>(other->first, *group, std::move(entry));
    file->set_gone(true);
    files_[file->id()] = file;
    places_[file->id()] = folder.path / other->second;
    queue(file);
  }
}

TailedFiles::Names TailedFiles::other_names(const Folder& folder) const {
  Names others;
  const auto names = file_system_.list(folder.path);
  if (!names.ok()) {
    return others;
  }
  for (const std::string& name : *names) {
    Result<FileStatus> status = file_system_.status(folder.path / name);
    if (!folder.names.contains(name) && status.ok() && status->is_regular) {
      others.emplace(status->id, name);
    }
  }
  return others;
}

void TailedFiles::forget(const TailedFilePtr& file) {
  if (file->watch >= 0) {
    watch_->end(file->watch);
    linked_.erase(file->watch);
  }
  places_.erase(file->id());
  files_.erase(file->id());
}

// ---- Reading ----

void TailedFiles::queue(const TailedFilePtr& file) {
  if (!std::exchange(file->is_queued, true)) {
    queue_.push_back(file);
  }
}

std::vector<TailedFilePtr> TailedFiles::take_queue() {
  std::vector<TailedFilePtr> files = std::exchange(queue_, {});
  std::sort(files.begin(), files.end(), [](const TailedFilePtr& a, const TailedFilePtr& b) {
    return std::tuple(a->group(), a->modified(), std::string_view(a->path())) <
           std::tuple(b->group(), b->modified(), std::string_view(b->path()));
  });
  return files;
}

Result<> TailedFiles::open(TailedFile& file) {
  if (const auto place = places_.find(file.id()); place != places_.end()) {
    return open_elsewhere(file, place->second);
  }
  Result<> opened = file.open(file_system_, file.path());
  if (!is_elsewhere(opened)) {
    return opened;
  }
  for (Folder& folder : folders_) {
    if (Path(file.path()).parent_path() == folder.path) {
      folder.is_out_of_date = true;
    }
  }
  return closed(opened.error().message());
}

// Its name is none that is tailed, and may have changed again since: a rotation moves all old files
// on. That its inode has the same number is not enough: no group has asked for what else is there.
Result<> TailedFiles::open_elsewhere(TailedFile& file, const Path& place) {
  Result<> opened = file.open(file_system_, place);
  if (is_elsewhere(opened)) {
    for (const Folder& folder : folders_) {
      const auto others = folder.path == place.parent_path() ? other_names(folder) : Names();
      if (const auto other = others.find(file.id()); other != others.end()) {
        opened = file.open(file_system_, folder.path / other->second);
      }
    }
  }
  if (opened.ok()) {
    const Result<bool> known = file.is_as_known();
    if (known.ok() && *known) {
      places_.erase(file.id());
      return opened;
    }
    file.close();
    opened = known.ok() ? closed(place.string() + " is another file by now") : known.error();
  }
  if (is_elsewhere(opened)) {
    forget(files_.at(file.id()));
    return closed(opened.error().message());
  }
  return opened;
}

void TailedFiles::sweep() {
  std::vector<TailedFilePtr> over;
  for (const auto& [id, file] : files_) {
    if (file->is_gone() && !file->is_open() && file->is_committed() && !file->is_queued) {
      over.push_back(file);
    }
  }
  for (const TailedFilePtr& file : over) {
    forget(file);
  }
}

std::vector<TailEntry> TailedFiles::entries() const {
  std::vector<TailEntry> entries = known_;
  for (const auto& [id, file] : files_) {
    entries.push_back(file->entry());
  }
  std::sort(entries.begin(), entries.end(), [](const TailEntry& a, const TailEntry& b) {
    return std::tie(a.path, a.inode) < std::tie(b.path, b.inode);
  });
  return entries;
}

std::string TailedFiles::trouble() const {
  std::string all;
  for (const Folder& folder : folders_) {
    if (!folder.trouble.empty()) {
      all += (all.empty() ? "" : "; ") + folder.trouble;
    }
  }
  return all;
}

}  // namespace millrace
