// Where the source `TAILDIR` keeps how far its files have been read: Flume's position file, and
// beside it a file of heads that Flume does not know (docs/formats/taildir-positions.md).
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/file_system.h"
#include "source/taildir/tail_entry.h"

namespace millrace {

struct LoadedEntries {
  std::vector<TailEntry> entries;
  bool is_damaged = false;            // There may have been others.
  std::vector<std::string> findings;  // What is damaged, for the log; names the file.
};

// Durable: save() returns when both files are on stable storage, each replaced as a whole; the
// heads first, so that a position never lacks the head that belongs to it.
// Threads: one at a time. The file system outlives it.
class PositionFile {
 public:
  PositionFile(FileSystem& files, std::filesystem::path path);

  // Makes the folder and locks the file against other sources. kTransient when that cannot be done.
  Result<> open();
  // Damage is a finding, and what can be read is taken; kTransient when there is a file that cannot
  // be read: to begin anew then would repeat or pass over everything.
  Result<LoadedEntries> load();
  // Writes what differs from what was written last.
  Result<> save(std::span<const TailEntry> entries);
  // Gives up the lock.
  void close() { lock_.reset(); }

  const std::filesystem::path& path() const { return path_; }

 private:
  Result<std::string> read(const std::filesystem::path& path) const;
  Result<> replace(const std::filesystem::path& path, std::string text, std::string& written);

  FileSystem& files_;
  const std::filesystem::path path_;
  const std::filesystem::path heads_path_;
  std::unique_ptr<FileLock> lock_;
  std::string written_;  // Of each file.
  std::string written_heads_;
};

// The two formats. Entries that lack a member, and what follows damage, are left out and told of.
LoadedEntries parse_positions(std::string_view json, const std::string& name);
void parse_heads(std::string_view json, const std::string& name, LoadedEntries& loaded);
std::string positions_text(std::span<const TailEntry> entries);
std::string heads_text(std::span<const TailEntry> entries);

}  // namespace millrace
