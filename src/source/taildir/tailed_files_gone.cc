// TailedFiles: files without a name that is tailed, and how they are found and opened.
#include <algorithm>
#include <cerrno>
#include <utility>

#include "source/taildir/tailed_files.h"

namespace millrace {
namespace {

// Longer than any listing of a large folder is put off.
constexpr std::chrono::minutes kMissedFor{2};

// The name leads to another file, or to none.
bool is_elsewhere(const Result<>& opened) {
  return !opened.ok() &&
         (opened.error().fault() == Fault::kClosed || opened.error().error_number() == ENOENT);
}

}  // namespace

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
      miss(file);
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

void TailedFiles::miss(const TailedFilePtr& file) {
  if (file->watch >= 0) {
    watch_->end(std::exchange(file->watch, -1));
    linked_.erase(file->watch);
  }
  places_.erase(file->id());
  missed_[file->id()] = {file, std::chrono::steady_clock::now() + kMissedFor};
  files_.erase(file->id());
}

// The inode of a removed file is soon another file's: what was written to since is taken for one.
TailedFilePtr TailedFiles::take_missed(const FileStatus& found) {
  const auto missed = missed_.extract(found.id);
  if (missed.empty() || missed.mapped().file->note(found)) {
    return nullptr;
  }
  return missed.mapped().file;
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
    miss(files_.at(file.id()));
    return closed(opened.error().message());
  }
  return opened;
}

}  // namespace millrace
