// Gives files their final names, as a committed intent says.
#pragma once

#include <string>

#include "base/metrics.h"
#include "client/dfs/file_system.h"
#include "sink/exactly_once/file_intent.h"

namespace millrace {

// Everything here may be repeated: what is done already is seen to be.
// Durable: a name is when the call returns.
// Lost: a file that is under neither name, or shorter than what was committed, is counted and said;
// a reader that took it away behind the last commit looks the same.
// Threads: its sink's.
class FilePublisher {
 public:
  // `component`: for the log, "sink k1". All outlive it.
  FilePublisher(dfs::FileSystem& files, std::string component, Counter& published, Counter& lost)
      : files_(files), component_(std::move(component)), published_(published), lost_(lost) {}

  // Gives the file the length that is committed, and its name. kTransient when that cannot be done
  // now: the file system fails, the file's lease is not free yet, or another file has the name.
  Result<> publish(const IntendedFile& file);
  // A file that no intent names, if it is there: nothing of it was committed.
  Result<> discard(const std::string& temporary);

 private:
  Result<> cut(const IntendedFile& file);
  Result<> settle_absent(const IntendedFile& file);
  Result<bool> holds(const std::string& path, const IntendedFile& file);
  void say_lost(const IntendedFile& file, const std::string& how);

  dfs::FileSystem& files_;
  const std::string component_;
  Counter& published_;
  Counter& lost_;
};

}  // namespace millrace
