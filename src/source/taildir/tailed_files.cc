#include "source/taildir/tailed_files.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/log.h"

namespace millrace {
namespace {

using std::chrono::milliseconds;

// Where the kernel tells of changes; writes through a mapping it does not tell.
constexpr milliseconds kLookWhereTold{30'000};
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

void TailedFiles::sweep(SteadyTime now) {
  std::erase_if(missed_, [&](const auto& each) { return each.second.until <= now; });
  std::vector<TailedFilePtr> over;
  for (const auto& [id, file] : files_) {
    if (file->is_gone() && !file->is_open() && file->is_committed() && !file->is_queued) {
      over.push_back(file);
    }
  }
  for (const TailedFilePtr& file : over) {
    miss(file);
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
