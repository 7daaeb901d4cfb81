// SpooldirSource: what becomes of a file that was read or cannot be, and what is told.
#include <utility>

#include "base/log.h"
#include "source/spooldir/spooldir_source.h"

namespace millrace {
namespace {

namespace fs = std::filesystem;

constexpr int kRetryDelays = 10;  // Poll delays.

}  // namespace

// Every event of the file is committed.
void SpooldirSource::mark_done(const fs::path& relative, const Committed& committed) {
  const Result<FileStatus> status = files_.status(config_.folder / relative);
  if (!status.ok() || identity_of(status.value()) != committed.identity) {
    whole_.erase(relative);
    set_aside(relative, committed,
              transient("it has been modified or has changed size since it was opened; a file must "
                        "be whole before it is moved in"));
    return;
  }
  if (const Result<> retired = folder_.retire(relative); !retired.ok()) {
    whole_[relative] = committed;
    set_aside(relative, committed, retired.error());
    return;
  }
  whole_.erase(relative);
  aside_.forget(relative);
  if (const Result<> forgotten = tracker_.forget(); !forgotten.ok()) {
    log_warning(component_, "the tracker file stays: {}", forgotten.error().message());
  }
}

void SpooldirSource::mark_those_left() {
  const SteadyTime now = std::chrono::steady_clock::now();
  const std::map<fs::path, Committed> left = whole_;
  for (const auto& [relative, committed] : left) {
    if (!files_.exists(config_.folder / relative)) {
      whole_.erase(relative);
    } else if (!aside_.passes_over(relative, now)) {
      mark_done(relative, committed);
    }
  }
}

// Until the next start, or for a while where the file is not to blame.
void SpooldirSource::set_aside(const fs::path& relative, const Committed& committed,
                               const Error& error) {
  const bool may_pass = error.error_number() != 0 || whole_.contains(relative);
  const std::string why = (config_.folder / relative).string() + ": " + error.message();
  const auto until = may_pass ? std::chrono::steady_clock::now() + kRetryDelays * config_.poll_delay
                              : SteadyTime::max();
  aside_.keep(relative, committed.identity, committed.offset);
  if (aside_.add(relative, why, until)) {
    failed_files_.add();
    log_error(component_, "a file is set aside and left where it is{}: {}",
              may_pass ? " for a while" : "", why);
  }
}

// ---- Health ----

void SpooldirSource::tell_folder_trouble(std::string trouble) {
  const std::lock_guard lock(mutex_);
  if (trouble != folder_trouble_ && !trouble.empty()) {
    log_warning(component_, "{}", trouble);
  }
  folder_trouble_ = std::move(trouble);
}

Result<> SpooldirSource::health() const {
  {
    const std::lock_guard lock(mutex_);
    if (!folder_trouble_.empty()) {
      return transient(folder_trouble_);
    }
  }
  return aside_.health();
}

}  // namespace millrace
