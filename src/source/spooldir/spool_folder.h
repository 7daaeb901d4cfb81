// The folder of the source `spooldir`: which file is next, and how a file is marked as done.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "config/java_regex/java_regex.h"
#include "io/file_system.h"
#include "source/spooldir/spooldir_config.h"

namespace millrace {

struct SpooledFile {
  std::filesystem::path relative;  // Below the folder.
  WallTime modified;
};

// A list of the folder serves for many files: it is made anew when it is used up, and, unless the
// order is random, when it is older than the poll delay. Making lists takes a tenth of the time at
// most, however many files lie there.
// Threads: one. Config and file system outlive it.
class SpoolFolder {
 public:
  // After the config's check found no fault.
  SpoolFolder(const SpooldirConfig& config, FileSystem& files);

  // Whether the folder is there and, where names are changed in it, may be written to.
  Result<> prepare();
  // The file to read next that is not one to pass over; nothing when none is known of.
  Result<std::optional<SpooledFile>> next(
      const std::function<bool(const std::filesystem::path&)>& is_passed_over);
  // What the last list could not look at, for people; empty: nothing.
  const std::string& trouble() const { return trouble_; }
  // Renames, marks or removes a file that is done. Never replaces another file.
  Result<> retire(const std::filesystem::path& relative);

 private:
  // `above`: the folders that lead to this one.
  Result<> list(const std::filesystem::path& relative, std::vector<FileId>& above);
  Result<> make_list();
  bool may_be_file(const std::string& name) const;
  RegexAnswer match(JavaRegex& pattern, const char* key, const std::string& name);
  void note(std::string trouble);
  bool marks_in_tracker_dir() const { return config_.tracking_policy == "tracker_dir"; }
  std::filesystem::path mark_of(const std::filesystem::path& relative) const;
  void sort();

  const SpooldirConfig& config_;
  FileSystem& files_;
  JavaRegex include_;
  JavaRegex ignore_;
  std::minstd_rand random_;
  std::vector<SpooledFile> list_;  // The next one is the last.
  SteadyTime listed_at_{};
  SteadyTime::duration listing_took_{};
  std::string trouble_;
};

}  // namespace millrace
