// Which files are tailed: finds them, follows them when they are renamed, and says which have
// something new.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "io/file_system.h"
#include "io/file_watch.h"
#include "source/taildir/file_group.h"
#include "source/taildir/position_file.h"
#include "source/taildir/tailed_file.h"

namespace millrace {

struct FileIdHash {
  std::size_t operator()(const FileId& id) const {
    return std::hash<std::uint64_t>()(id.inode * 31 + id.device);
  }
};

// The kernel tells of changes in the folders (FileWatch); what it does not tell of, a look from
// time to time finds. A file is known by its inode: one that is renamed goes on where it was, under
// a name that is not tailed as well, until it has been quiet for long. One that no folder shows may
// be on its way from one to another: it is missed for a while, then forgotten.
// Threads: its source's. File system and groups outlive it.
class TailedFiles {
 public:
  struct Options {
    bool skip_to_end = false;  // Of files that are found first and not known.
    bool cache_names = true;   // A folder is listed when the time of its last change is another.
    std::chrono::milliseconds look_every{5000};  // Where the kernel does not tell.
  };
  // `component` is for the log.
  TailedFiles(FileSystem& files, std::vector<FileGroup>& groups, Options options,
              LoadedEntries known, std::string component);

  // What has changed since the last call is queued.
  void take_changes(SteadyTime now);
  // Readable when there is something to take; -1 when the kernel tells nothing.
  int descriptor() const { return watch_ ? watch_->descriptor() : -1; }
  // When take_changes() is due, whether something is told or not.
  SteadyTime next_look() const;

  void queue(const TailedFilePtr& file);
  // The files that wait to be read, the one that was written to longest ago first, group by group.
  std::vector<TailedFilePtr> take_queue();
  // Whether files were found that nothing was kept of; then not until others are.
  bool take_has_new() { return std::exchange(has_new_, false); }
  bool has_queued() const { return !queue_.empty(); }

  // Opens a file that is to be read; kClosed, and the folder is looked at again, when its name
  // leads to another by now.
  Result<> open(TailedFile& file);
  // Forgets those that are gone, read to their end and with the channels. Now and then.
  void sweep(SteadyTime now);

  // All of them. Not while files are taken in or swept.
  const std::unordered_map<FileId, TailedFilePtr, FileIdHash>& all() const { return files_; }
  // What is to be kept of them, and of those that could not be looked for yet.
  std::vector<TailEntry> entries() const;
  // What is wrong with the folders; empty: nothing.
  std::string trouble() const;

 private:
  using Path = std::filesystem::path;
  using Names = std::unordered_map<FileId, std::string, FileIdHash>;
  struct Folder {
    Path path;
    std::vector<std::size_t> groups;
    std::unordered_map<std::string, TailedFilePtr> names;     // That are tailed.
    std::vector<std::pair<std::string, TailedFilePtr>> gone;  // Since the last listing.
    int watch = -1;
    FileId watched;           // What the path led to then.
    bool is_watched = false;  // The kernel tells of all that happens to its files.
    bool was_listed = false;  // Ever.
    bool was_recalled = false;
    bool has_loose_links = false;  // To files that may come.
    bool is_out_of_date = true;    // Names came or went.
    WallTime modified{};           // When it was listed.
    SteadyTime list_at{};          // Not before.
    SteadyTime look_at{};
    bool is_watch_told = false;  // That it cannot be watched.
    std::string trouble;
  };
  struct Missed {
    TailedFilePtr file;
    SteadyTime until;
  };
  struct Found {
    std::string name;
    std::size_t group;
    FileStatus status;
  };

  void watch(Folder& folder);
  void take(const FileWatch::Change& change);
  void look(Folder& folder, SteadyTime now);
  void list(Folder& folder, SteadyTime now);
  void note_trouble(Folder& folder, std::string trouble);
  std::string pattern_trouble(const Folder& folder);
  Result<std::vector<Found>> find(Folder& folder);
  std::optional<std::size_t> group_of(const Folder& folder, std::string_view name);
  TailedFilePtr adopt(const Folder& folder, const Found& found);
  TailEntry entry_for(const Folder& folder, const std::string& path, const Found& found);
  bool leads_to(const Path& path, const FileId& id) const;
  void watch_behind_link(const Path& path, const TailedFilePtr& file);
  void follow(Folder& folder);
  void recall(Folder& folder);
  Names other_names(const Folder& folder) const;
  Result<> open_elsewhere(TailedFile& file, const Path& place);
  void miss(const TailedFilePtr& file);
  TailedFilePtr take_missed(const FileStatus& found);

  FileSystem& file_system_;
  std::vector<FileGroup>& groups_;
  const Options options_;
  const std::string component_;
  std::optional<FileWatch> watch_;
  std::vector<Folder> folders_;
  std::vector<TailEntry> known_;  // Of the run before, not found yet.
  const bool known_is_whole_;
  std::unordered_map<FileId, TailedFilePtr, FileIdHash> files_;
  std::unordered_map<FileId, Missed, FileIdHash> missed_;  // May come back under another name.
  std::unordered_map<int, TailedFilePtr> linked_;          // By their own watch.
  std::unordered_map<FileId, Path, FileIdHash> places_;    // Of gone ones that are not open.
  std::vector<TailedFilePtr> queue_;
  bool has_new_ = false;
};

}  // namespace millrace
