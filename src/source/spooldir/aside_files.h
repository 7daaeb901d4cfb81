// The files that the source `spooldir` has set aside: it leaves them where they are, and passes
// them over, for a while or until the next start.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "io/file_system.h"
#include "source/spooldir/tracker_file.h"

namespace millrace {

// How far each was committed is kept in a tracker file of its own, beside the source's, so that it
// goes on there when it is tried again.
// Threads: the source's, but health() on any. The file system outlives it.
class AsideFiles {
 public:
  // `folder` holds the files, `trackers` the source's tracker file.
  AsideFiles(FileSystem& files, std::filesystem::path folder, std::filesystem::path trackers)
      : files_(files), folder_(std::move(folder)), trackers_(std::move(trackers)) {}

  // All are tried again from now on; what is kept of files that are gone is removed.
  void begin_anew();
  // Whether a file, by its name below the folder, is passed over.
  bool passes_over(const std::filesystem::path& name, SteadyTime now) const;

  // Passed over until then; `why` names the file. False when that was said of it before.
  bool add(const std::filesystem::path& name, const std::string& why, SteadyTime until);
  // `offset` bytes of it are committed.
  void keep(const std::filesystem::path& name, const SpooledIdentity& identity,
            std::uint64_t offset);
  // How far a file was committed when it was set aside; 0 when it was not, or is another now.
  std::uint64_t offset_of(const std::filesystem::path& name, const SpooledIdentity& identity) const;
  // It is read again.
  void take_back(const std::filesystem::path& name);
  // The file is done.
  void forget(const std::filesystem::path& name);
  // A file that was taken away is forgotten: its name may come again.
  void drop_gone();

  Result<> health() const;

 private:
  struct Aside {
    std::string why;
    SteadyTime until;
  };
  TrackerFile tracker_of(const std::filesystem::path& name) const;

  FileSystem& files_;
  const std::filesystem::path folder_;
  const std::filesystem::path trackers_;
  std::map<std::string, TrackedPosition> kept_;  // What the trackers say, by paths of files.
  mutable std::mutex mutex_;                     // Guards changes of what follows, and health().
  std::map<std::filesystem::path, Aside> names_;
};

}  // namespace millrace
