#include "sink/exactly_once/published_series.h"

#include <algorithm>
#include <utility>

#include "base/log.h"

namespace millrace {
namespace {

std::filesystem::path temporary_of(const std::filesystem::path& published) {
  return published.parent_path() / ("." + published.filename().string() + ".part");
}

}  // namespace

PublishedSeries::PublishedSeries(FileSystem& files, Clock& clock, Plan plan, Counts counts)
    : files_(files),
      clock_(clock),
      plan_(std::move(plan)),
      counts_(counts),
      local_(files),
      publisher_(local_, plan_.component, counts.published, counts.lost),
      ledger_(files, plan_.ledger) {}

Result<> PublishedSeries::recover(std::string_view intent) {
  file_.reset();
  ended_.clear();
  if (!lock_) {
    std::filesystem::path lock = plan_.ledger;
    lock_ = TRY(files_.lock(lock.replace_extension(".lock")));
  }
  const FileIntent committed = TRY(decode_file_intent(intent));
  TRY(ledger_.load());
  named_.clear();
  for (const IntendedFile& file : committed) {
    TRY(publisher_.publish(file));
    named_.insert(file.temporary);
  }
  const std::set<std::string> noted = ledger_.noted();
  for (const std::string& temporary : noted) {
    if (!named_.contains(temporary)) {
      TRY(publisher_.discard(temporary));
    }
    ledger_.forget(temporary);
  }
  is_stale_ = !committed.empty();
  return {};
}

Result<> PublishedSeries::open() {
  if (file_) {
    return {};
  }
  std::filesystem::path path = plan_.next_path();
  while (is_taken(path)) {
    path = plan_.next_path();
  }
  const std::filesystem::path temporary = temporary_of(path);
  TRY(ledger_.note(temporary.string()));
  Result<std::unique_ptr<OutputFile>> file =
      OutputFile::create(files_, temporary, plan_.make_serializer(), OutputSync::kDurable);
  if (!file.ok()) {
    counts_.files.failed.add();
    return std::move(file).error();
  }
  file_ = std::move(file).value();
  published_path_ = path.string();
  opened_at_ = clock_.steady();
  counts_.files.opened.add();
  return {};
}

// A file that a reader took away has no name any more, and yet may be named by the intent that a
// crash leaves: what is written under that name would be published.
bool PublishedSeries::is_taken(const std::filesystem::path& path) const {
  const std::filesystem::path temporary = temporary_of(path);
  return files_.exists(path) || files_.exists(temporary) || named_.contains(temporary.string());
}

Result<> PublishedSeries::append(const EventBatch& batch) {
  TRY(open());
  Result<> appended = file_->append(batch);
  return appended.ok() ? appended : undo(std::move(appended));
}

Result<std::string> PublishedSeries::prepare(bool last) {
  if (file_) {
    Result<> committed = file_->commit();
    if (!committed.ok()) {
      return undo(std::move(committed)).error();
    }
    if (last || file_is_due()) {
      end_file();
    }
  }
  FileIntent intent = ended_;
  if (file_ && file_->has_events()) {
    intent.push_back(intended(false));
  }
  is_stale_ = false;  // This one takes the place of the one before.
  named_.clear();
  for (const IntendedFile& file : intent) {
    named_.insert(file.temporary);
  }
  return encode_file_intent(intent);
}

Result<> PublishedSeries::publish() {
  is_stale_ = !ended_.empty();
  while (!ended_.empty()) {
    TRY(publisher_.publish(ended_.back()));
    ledger_.forget(ended_.back().temporary);
    ended_.pop_back();
  }
  return {};
}

bool PublishedSeries::is_due() const {
  return is_stale_ || !ended_.empty() || file_is_due();
}

bool PublishedSeries::file_is_due() const {
  return file_ && file_->has_events() && plan_.roll_interval > std::chrono::seconds(0) &&
         clock_.steady() - opened_at_ >= plan_.roll_interval;
}

IntendedFile PublishedSeries::intended(bool is_ended) const {
  return {file_->path().string(), published_path_, file_->committed_bytes(), file_->committed_crc(),
          is_ended};
}

// A format whose end could not be written is readable without it.
void PublishedSeries::end_file() {
  if (const Result<> finished = file_->finish(); !finished.ok()) {
    log_warning(plan_.component, "{} has no proper end: {}", published_path_,
                finished.error().message());
    file_->roll_back();
  }
  leave_file();
}

// As long as it is committed, it is to be published.
void PublishedSeries::leave_file() {
  if (file_->has_events()) {
    ended_.push_back(intended(true));
  } else {
    (void)publisher_.discard(file_->path().string());
    ledger_.forget(file_->path().string());
  }
  file_.reset();
  counts_.files.closed.add();
}

// The transaction comes again: nothing of it may stay behind what is committed.
Result<> PublishedSeries::undo(Result<> failure) {
  if (!file_->roll_back() || (file_->is_full() && file_->has_events())) {
    leave_file();
  }
  return failure;
}

}  // namespace millrace
