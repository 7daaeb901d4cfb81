// TaildirSource: which files are open, what is kept of them, and what is told.
#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/log.h"
#include "source/taildir/taildir_source.h"

namespace millrace {
namespace {

constexpr int kSaveShare = 10;  // Of so many parts of the time, saving new files may take one.

}  // namespace

// ---- Open files ----

Result<> TaildirSource::open_file(TailedFile& file) {
  if (open_files_ >= most_open_files_) {
    close_some();
  }
  Result<> opened = files_->open(file);
  if (!opened.ok() &&
      (opened.error().error_number() == EMFILE || opened.error().error_number() == ENFILE)) {
    close_some();
    opened = files_->open(file);
  }
  open_files_ += opened.ok() ? 1 : 0;
  return opened;
}

// Of files that are new, so that they are known again whatever name they have at the next start.
// One that cannot be read now is, as a new one, before its first line is put.
void TaildirSource::learn_heads() {
  std::vector<TailedFilePtr> unknown;
  for (const auto& [id, file] : files_->all()) {
    if (file->entry().head.size == 0 && file->size() > 0) {
      unknown.push_back(file);
    }
  }
  for (const TailedFilePtr& file : unknown) {
    if (file->is_open() || open_file(*file).ok()) {
      (void)file->learn_head();
    }
  }
}

// A tenth of the open files, those that were quiet longest. What has no name is not opened again.
void TaildirSource::close_some() {
  std::vector<TailedFilePtr> open;
  for (const auto& [id, file] : files_->all()) {
    if (file->is_open() && !file->is_gone()) {
      open.push_back(file);
    }
  }
  const std::size_t count = std::min(open.size(), open.size() / 10 + 1);
  std::partial_sort(open.begin(), open.begin() + static_cast<std::ptrdiff_t>(count), open.end(),
                    [](const TailedFilePtr& a, const TailedFilePtr& b) {
                      return a->active_at() < b->active_at();
                    });
  for (std::size_t i = 0; i < count; ++i) {
    open[i]->close();
  }
  open_files_ -= std::min(open_files_, count);
  if (limit_trouble_.empty()) {
    limit_trouble_ = fmt::format(
        "{} files are tailed and {} can be open: the hard limit of open files is {}; files are "
        "closed and opened again until it is at least {} (LimitNOFILE=, ulimit -Hn)",
        files_->all().size(), most_open_files_, open_file_limit_,
        files_->all().size() + kOtherFiles);
    log_warning(component_, "{}", limit_trouble_);
  }
}

// Files that nothing was written to for long are closed at their next turn; those without a name
// are told of by nobody.
void TaildirSource::look_after_files(SteadyTime now) {
  if (now < look_after_at_) {
    return;
  }
  look_after_at_ = now + std::clamp(config_.idle_timeout, kPause, kLookAfter);
  open_files_ = 0;
  std::uint64_t uncommitted = 0;
  for (const auto& [id, file] : files_->all()) {
    uncommitted += file->size() - std::min(file->size(), file->committed());
    if (file->is_open()) {
      ++open_files_;
      if (file->is_gone() || is_quiet(*file, now)) {
        files_->queue(file);
      }
    }
  }
  files_->sweep(now);
  tailed_files_.set(files_->all().size());
  open_file_count_.set(open_files_);
  unread_bytes_.set(uncommitted);
  if (now >= retry_at_) {
    retry_at_ = now + config_.max_backoff_sleep;
    retry_failed();
  }
  tell_trouble();
}

// ---- Files that cannot be read ----

void TaildirSource::read_failed(const TailedFilePtr& file, const Error& error) {
  read_fails_.add();
  failed_.push_back({file, error.message()});
  if (read_trouble_.empty()) {
    note_failed();
  }
}

void TaildirSource::retry_failed() {
  note_failed();
  for (const Failed& failed : std::exchange(failed_, {})) {
    files_->queue(failed.file);
  }
}

// Says what is another trouble than before.
void TaildirSource::note_failed() {
  const auto first = std::min_element(
      failed_.begin(), failed_.end(),
      [](const Failed& a, const Failed& b) { return a.file->path() < b.file->path(); });
  std::string trouble;
  if (first != failed_.end()) {
    trouble = failed_.size() == 1
                  ? first->why
                  : fmt::format("{} files cannot be read, as {}", failed_.size(), first->why);
  }
  if (trouble != read_trouble_ && !trouble.empty()) {
    log_warning(component_, "{}; it is tried again every {} ms", trouble,
                config_.max_backoff_sleep.count());
  }
  read_trouble_ = std::move(trouble);
}

// ---- Positions ----

void TaildirSource::save_if_due(SteadyTime now) {
  if (now < save_at_) {
    return;
  }
  save_at_ = now + config_.write_interval;
  if (!has_moved_) {
    return;
  }
  if (const Result<> saved = save(); !saved.ok() && save_trouble_.empty()) {
    save_trouble_ = saved.error().message();
    log_error(component_, "{}; it is tried again every {} ms", save_trouble_,
              config_.write_interval.count());
    tell_trouble();
  }
}

// Before the first lines of a file are put it is known by its inode and how it begins: when it is
// renamed while no agent runs, the next one finds it. Not for each of many files that come at once.
void TaildirSource::save_new_files() {
  const SteadyTime begin = std::chrono::steady_clock::now();
  if (has_new_files_ && begin >= save_new_at_) {
    save_at_ = {};
    has_moved_ = true;
    save_if_due(begin);
    const SteadyTime end = std::chrono::steady_clock::now();
    save_new_at_ = end + (end - begin) * kSaveShare;
  }
}

Result<> TaildirSource::save() {
  TRY(positions_.save(files_->entries()));
  has_new_files_ = false;
  has_moved_ = false;
  if (!save_trouble_.empty()) {
    save_trouble_.clear();
    tell_trouble();
  }
  return {};
}

void TaildirSource::tell_trouble() {
  std::string trouble;
  for (const std::string& each :
       {files_->trouble(), read_trouble_, save_trouble_, limit_trouble_}) {
    if (!each.empty()) {
      trouble += (trouble.empty() ? "" : "; ") + each;
    }
  }
  const std::lock_guard lock(trouble_mutex_);
  trouble_ = std::move(trouble);
}

}  // namespace millrace
