// A local list of the files that a sink has begun and not finished (docs/formats/file-ledger.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>
#include <string>

#include "base/result.h"
#include "io/file_system.h"

namespace millrace {

// After a crash the files of the ledger are finished or removed, and no others: what another agent
// writes beside them may look the same.
// Durable: a file is in the ledger when note() returns. A forgotten one may come back after a
// crash: whoever reads the ledger finds it finished.
// Threads: its sink's.
class FileLedger {
 public:
  // `path` is made when there is something to note.
  FileLedger(FileSystem& files, std::filesystem::path path)
      : files_(files), path_(std::move(path)) {}

  // Reads what an earlier life has noted; a torn last line is of a file that was never made.
  Result<> load();
  Result<> note(const std::string& file);
  void forget(const std::string& file);
  const std::set<std::string>& noted() const { return noted_; }

 private:
  Result<> rewrite();

  FileSystem& files_;
  const std::filesystem::path path_;
  std::set<std::string> noted_;
  std::unique_ptr<File> file_;  // Null: the next note() rewrites the whole of it.
  std::uint64_t end_ = 0;
  std::size_t forgotten_ = 0;  // Lines of the file that count no more.
};

}  // namespace millrace
