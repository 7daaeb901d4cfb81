#include "sink/hdfs/left_files.h"

#include <algorithm>
#include <cerrno>
#include <set>
#include <utility>

#include "base/log.h"

namespace millrace {

LeftFiles::LeftFiles(dfs::FileSystem& files, FileLedger& ledger, Clock& clock,
                     std::string component, std::chrono::seconds longest_pause, FindEnd find_end)
    : dfs_(files),
      ledger_(ledger),
      clock_(clock),
      component_(std::move(component)),
      longest_pause_(longest_pause),
      find_end_(std::move(find_end)) {}

void LeftFiles::take_over(bool without_intents) {
  files_.clear();
  for (const std::string& entry : ledger_.noted()) {
    FileNames names = names_of_entry(entry);
    if (!names.is_by_intent || !without_intents) {
      files_.push_back({entry, std::move(names), 0, {}});
    }
  }
}

void LeftFiles::work() {
  if (files_.empty()) {
    return;
  }
  const SteadyTime now = clock_.steady();
  std::vector<File> left;
  for (File& file : files_) {
    if (file.next_try > now) {
      left.push_back(std::move(file));
      continue;
    }
    const Result<> finished = finish(file.names);
    if (finished.ok()) {
      ledger_.forget(file.entry);
    } else {
      note(file, finished.error());
      left.push_back(std::move(file));
    }
  }
  files_ = std::move(left);
}

Result<> LeftFiles::finish(const FileNames& names) {
  const Result<dfs::FileStatus> found = dfs_.status(names.temporary);
  if (!found.ok()) {  // Never made, or finished before the ledger was told.
    return found.error().error_number() == ENOENT ? Result<>() : Result<>(found.error());
  }
  if (!TRY(dfs_.recover_lease(names.temporary)) && !TRY(dfs_.is_closed(names.temporary))) {
    return transient("its lease is being recovered");
  }
  if (!TRY(cut(names))) {
    return dfs_.remove(names.temporary, false);
  }
  if (names.temporary != names.published) {
    TRY(dfs_.rename(names.temporary, names.published));
  }
  log_info(component_, "finished {}, which an earlier run had left open", names.published);
  return {};
}

// False when there is no whole record in it.
Result<bool> LeftFiles::cut(const FileNames& names) {
  const std::uint64_t length = TRY(dfs_.status(names.temporary)).length;
  if (length == 0) {
    return false;
  }
  const WholePart part = TRY(find_end_(dfs_, names.temporary));
  if (!part.damage.empty()) {
    log_warning(component_, "{} is damaged and not cut, behind byte {}: {}", names.temporary,
                part.bytes, part.damage);
    return true;
  }
  const std::uint64_t whole = part.bytes;
  if (whole > 0 && whole < length && !TRY(dfs_.truncate(names.temporary, whole)) &&
      !TRY(dfs_.is_closed(names.temporary))) {
    return transient("it is being cut behind its last whole record");
  }
  return whole > 0;
}

void LeftFiles::note(File& file, const Error& error) {
  constexpr std::uint32_t kMostDoublings = 8;
  if (file.tries == 0) {
    log_warning(component_, "{}, which an earlier run had left open, cannot be finished yet: {}",
                file.names.temporary, error.message());
  }
  const std::chrono::seconds pause(1 << std::min(file.tries++, kMostDoublings));
  file.next_try =
      clock_.steady() + std::min(pause, std::max(longest_pause_, std::chrono::seconds(1)));
}

}  // namespace millrace
